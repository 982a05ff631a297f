// Callback: memory in use at the end of an epoch.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct gpu_memory_usage {
  static constexpr std::string_view name = "gpu_memory_usage";
  static constexpr std::string_view summary =
      "Prints how much memory is in use at the end of an epoch: arenas, and all of the process.";

  static constexpr auto fields() { return std::tuple<>{}; }
};

}  // namespace lbann::callbacks
