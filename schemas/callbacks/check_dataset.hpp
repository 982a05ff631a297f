// Callback: checks that an epoch sees every sample once.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct check_dataset {
  static constexpr std::string_view name = "check_dataset";
  static constexpr std::string_view summary =
      "Stops when an epoch does not see every sample exactly once.";

  static constexpr auto fields() { return std::tuple<>{}; }
};

}  // namespace lbann::callbacks
