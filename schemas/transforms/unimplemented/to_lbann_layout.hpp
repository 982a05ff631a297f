// Transform `to_lbann_layout`, declared but not built.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct to_lbann_layout {
  static constexpr std::string_view name = "to_lbann_layout";
  static constexpr std::string_view summary = "Divides bytes by 255.";
  static constexpr Support support = Support::unimplemented;

  static constexpr auto fields() { return std::tuple<>{}; }
};

}  // namespace lbann::transforms
