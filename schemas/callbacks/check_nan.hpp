// Callback `check_nan`, declared but not built.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct check_nan {
  static constexpr std::string_view name = "check_nan";
  static constexpr std::string_view summary =
      "Stops when an activation, a gradient or a weight is not finite.";
  static constexpr Support support = Support::unbuilt;

  static constexpr auto fields() { return std::tuple<>{}; }
};

}  // namespace lbann::callbacks
