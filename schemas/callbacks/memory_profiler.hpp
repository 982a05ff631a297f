// Callback: memory by purpose.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct memory_profiler {
  static constexpr std::string_view name = "memory_profiler";
  static constexpr std::string_view summary =
      "Prints what the memory of a rank is for, before training.";

  bool detailed_first_step = false;

  static constexpr auto fields() {
    return std::tuple{field("detailed_first_step", &memory_profiler::detailed_first_step,
                            "Print the bytes of each layer's outputs and weights too.")};
  }
};

}  // namespace lbann::callbacks
