// The words by which callbacks are told in which phases of a run they act.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lbann::callbacks {

/// Phases of a run in which callbacks act.
enum class RunPhase : std::uint8_t { train, validate, test };

/// What `execution_modes` may name: LBANN's two words for each phase (`exec_mode_from_string` of
/// execution_mode.cpp), in order of the enumerators, then those of phases that a run does not have:
/// what names these alone never acts.
inline constexpr std::array<std::string_view, 9> execution_mode_words = {
    "train",   "training", "validate",   "validation", "test",
    "testing", "predict",  "prediction", "tournament"};

constexpr std::optional<RunPhase> phase_named(std::string_view word) {
  constexpr std::size_t phases = 3;
  for (std::size_t i = 0; i < 2 * phases; ++i)
    if (word == execution_mode_words[i]) return static_cast<RunPhase>(i / 2);
  return std::nullopt;
}

/// Whether a callback with these `execution_modes` acts in `phase`; none at all means in each.
inline bool acts_in(std::vector<std::string> const& execution_modes, RunPhase phase) {
  return execution_modes.empty() ||
         std::any_of(execution_modes.begin(), execution_modes.end(),
                     [&](std::string const& word) { return phase_named(word) == phase; });
}

}  // namespace lbann::callbacks
