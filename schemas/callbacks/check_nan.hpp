// Callback: checks that all computed numbers are finite.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct check_nan {
  static constexpr std::string_view name = "check_nan";
  static constexpr std::string_view summary =
      "Stops when a number that is computed is not finite, and names the line of its layer.";

  static constexpr auto fields() { return std::tuple<>{}; }
};

}  // namespace lbann::callbacks
