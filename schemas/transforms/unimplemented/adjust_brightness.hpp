// Transform `adjust_brightness`, declared but not built.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct adjust_brightness {
  static constexpr std::string_view name = "adjust_brightness";
  static constexpr std::string_view summary = "Changes the brightness.";
  static constexpr Support support = Support::unimplemented;

  double factor = 1;

  static constexpr auto fields() {
    return std::tuple{field("factor", &adjust_brightness::factor, "Factor of the brightness.",
                            at_least_zero, Presence::required)};
  }
};

}  // namespace lbann::transforms
