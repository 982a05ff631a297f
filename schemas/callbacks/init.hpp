// Callback: checks that all ranks begin with the same weights.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct init {
  static constexpr std::string_view name = "init";
  static constexpr std::string_view summary = "Checks that all ranks begin with the same weights.";

  static constexpr auto fields() { return std::tuple<>{}; }
};

}  // namespace lbann::callbacks
