// Transform `scale`, declared but not built.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct scale {
  static constexpr std::string_view name = "scale";
  static constexpr std::string_view summary = "Multiplies every number.";
  static constexpr Support support = Support::unimplemented;

  double scale_ = 1;

  static constexpr auto fields() {
    return std::tuple{field("scale", &scale::scale_, "The factor.", Presence::required)};
  }
};

}  // namespace lbann::transforms
