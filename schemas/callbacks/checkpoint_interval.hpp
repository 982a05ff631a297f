// How often checkpoints are written, as users say it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lbann::callbacks {

/// How often a checkpoint is due; 0: not by this.
struct CheckpointInterval {
  std::int64_t steps = 0, epochs = 0;
  double seconds = 0;
};

/// `500 steps`, `1 epoch`, `90 s`, `10min`, `2 hours`; nothing for another text, or for none.
std::optional<CheckpointInterval> parse_checkpoint_interval(std::string_view text);

}  // namespace lbann::callbacks
