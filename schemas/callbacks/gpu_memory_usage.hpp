// Callback `gpu_memory_usage`, declared but not built.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct gpu_memory_usage {
  static constexpr std::string_view name = "gpu_memory_usage";
  static constexpr std::string_view summary =
      "Prints how much device memory is in use at the end of an epoch.";
  static constexpr Support support = Support::unbuilt;

  static constexpr auto fields() { return std::tuple<>{}; }
};

}  // namespace lbann::callbacks
