// Transform `adjust_contrast`, declared but not built.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct adjust_contrast {
  static constexpr std::string_view name = "adjust_contrast";
  static constexpr std::string_view summary = "Changes the contrast.";
  static constexpr Support support = Support::unimplemented;

  double factor = 1;

  static constexpr auto fields() {
    return std::tuple{field("factor", &adjust_contrast::factor, "Factor of the contrast.",
                            at_least_zero, Presence::required)};
  }
};

}  // namespace lbann::transforms
