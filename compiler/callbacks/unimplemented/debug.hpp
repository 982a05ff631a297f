// Callback `debug`, declared but not built.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct debug {
  static constexpr std::string_view name = "debug";
  static constexpr std::string_view summary =
      "Prints a line at the begin and end of each layer's work.";
  static constexpr Support support = Support::unimplemented;

  std::vector<std::string> phase;

  static constexpr auto fields() {
    return std::tuple{field("phase", &debug::phase,
                            "Phases it prints in: train, validation, test; all if left out.")};
  }
};

}  // namespace lbann::callbacks
