// Transform `colorize`, declared but not built.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::transforms {

struct colorize {
  static constexpr std::string_view name = "colorize";
  static constexpr std::string_view summary = "Makes three channels of one.";
  static constexpr Support support = Support::unimplemented;

  static constexpr auto fields() { return std::tuple<>{}; }
};

}  // namespace lbann::transforms
