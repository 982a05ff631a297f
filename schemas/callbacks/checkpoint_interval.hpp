// How often checkpoints are written, as users say it, and what follows if they cannot be.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

/// How often a checkpoint is due; 0: not by this.
struct CheckpointInterval {
  std::int64_t steps = 0, epochs = 0;
  double seconds = 0;
};

/// `500 steps`, `1 epoch`, `90 s`, `10min`, `2 hours`; nothing for another text, or for none.
std::optional<CheckpointInterval> parse_checkpoint_interval(std::string_view text);

/// What follows from a checkpoint that cannot be written while there is no older one.
enum class OnFailure : std::uint8_t { stop, warn };

}  // namespace lbann::callbacks

template <>
inline constexpr auto lbann::enum_names<lbann::callbacks::OnFailure> =
    std::array<std::string_view, 2>{"stop", "warn"};
