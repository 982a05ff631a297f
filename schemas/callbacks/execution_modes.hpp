// Names of the execution modes that callbacks act in.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schemas/vocabulary/execution_mode.hpp"

namespace lbann::callbacks {

/// What `execution_modes` may name: LBANN's two names for each mode of a run
/// (`exec_mode_from_string` of execution_mode.cpp), in order of the enumerators, then those of
/// modes that no run has: a callback that names only these never acts in one.
inline constexpr std::array<std::string_view, 9> execution_mode_words = {
    "train",   "training", "validate",   "validation", "test",
    "testing", "predict",  "prediction", "tournament"};

constexpr std::optional<ExecutionMode> mode_named(std::string_view word) {
  for (std::size_t i = 0; i < 2 * run_modes; ++i)
    if (word == execution_mode_words[i]) return static_cast<ExecutionMode>(i / 2);
  return std::nullopt;
}

/// Whether they name predictions, which are no phase of a run.
inline bool names_prediction(std::vector<std::string> const& execution_modes) {
  return std::any_of(execution_modes.begin(), execution_modes.end(), [](std::string const& word) {
    return word == "predict" || word == "prediction";
  });
}

/// Whether a callback with these `execution_modes` acts in `mode`; an empty list means all.
inline bool acts_in(std::vector<std::string> const& execution_modes, ExecutionMode mode) {
  return execution_modes.empty() ||
         std::any_of(execution_modes.begin(), execution_modes.end(),
                     [&](std::string const& word) { return mode_named(word) == mode; });
}

}  // namespace lbann::callbacks
