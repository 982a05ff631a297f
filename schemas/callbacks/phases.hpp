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

/// Phases of a run as experiments name them.
enum class RunPhase : std::uint8_t { train, validate, test, predict, tournament };

/// LBANN's two words for each phase (`exec_mode_from_string` of execution_mode.cpp).
inline constexpr std::array<std::array<std::string_view, 2>, 5> phase_words = {
    {{"train", "training"},
     {"validate", "validation"},
     {"test", "testing"},
     {"predict", "prediction"},
     {"tournament", "tournament"}}};

constexpr std::optional<RunPhase> phase_named(std::string_view word) {
  for (std::size_t i = 0; i < phase_words.size(); ++i)
    if (word == phase_words[i][0] || word == phase_words[i][1]) return static_cast<RunPhase>(i);
  return std::nullopt;
}

/// Whether a callback with these `execution_modes` acts in `phase`; none at all means in each.
inline bool acts_in(std::vector<std::string> const& execution_modes, RunPhase phase) {
  return execution_modes.empty() ||
         std::any_of(execution_modes.begin(), execution_modes.end(),
                     [&](std::string const& word) { return phase_named(word) == phase; });
}

}  // namespace lbann::callbacks
