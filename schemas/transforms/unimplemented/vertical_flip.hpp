// Transform `vertical_flip`, declared but not built.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct vertical_flip {
  static constexpr std::string_view name = "vertical_flip";
  static constexpr std::string_view summary = "Mirrors top and bottom at random.";
  static constexpr Support support = Support::unimplemented;

  double p = 0;

  static constexpr auto fields() {
    return std::tuple{
        field("p", &vertical_flip::p, "How likely.", zero_to_one, Presence::required)};
  }
};

}  // namespace lbann::transforms
