// Transform `horizontal_flip`, declared but not built.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct horizontal_flip {
  static constexpr std::string_view name = "horizontal_flip";
  static constexpr std::string_view summary = "Mirrors left and right at random.";
  static constexpr Support support = Support::unimplemented;

  double p = 0;

  static constexpr auto fields() {
    return std::tuple{
        field("p", &horizontal_flip::p, "How likely.", zero_to_one, Presence::required)};
  }
};

}  // namespace lbann::transforms
