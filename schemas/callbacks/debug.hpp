// Callback: a line at the begin and end of each instruction.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/callbacks/execution_modes.hpp"
#include "schemas/callbacks/references.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct debug {
  static constexpr std::string_view name = "debug";
  static constexpr std::string_view summary =
      "Prints a line at the begin and end of each mini-batch and each instruction, on every rank.";

  std::vector<std::string> phase;

  static constexpr Reference references[] = {{"phase", Referent::phase}};

  static constexpr auto fields() {
    return std::tuple{
        some_of(field("phase", &debug::phase, "Phases it prints in; all if left out."),
                execution_mode_words)};
  }
};

}  // namespace lbann::callbacks
