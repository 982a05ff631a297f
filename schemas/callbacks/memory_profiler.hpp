// Callback `memory_profiler`, declared but not built.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct memory_profiler {
  static constexpr std::string_view name = "memory_profiler";
  static constexpr std::string_view summary = "Prints how much memory each layer takes.";
  static constexpr Support support = Support::unbuilt;

  bool detailed_first_step = false;

  static constexpr auto fields() {
    return std::tuple{field("detailed_first_step", &memory_profiler::detailed_first_step,
                            "Print more about the first step.")};
  }
};

}  // namespace lbann::callbacks
