// Transform `adjust_saturation`, declared but not built.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct adjust_saturation {
  static constexpr std::string_view name = "adjust_saturation";
  static constexpr std::string_view summary = "Changes the saturation.";
  static constexpr Support support = Support::unimplemented;

  double factor = 1;

  static constexpr auto fields() {
    return std::tuple{field("factor", &adjust_saturation::factor, "Factor of the saturation.",
                            at_least_zero, Presence::required)};
  }
};

}  // namespace lbann::transforms
