// What a checkpoint says about itself: manifest.json.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "schemas/reports/checkpoint_chunks.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// How far training is. Between two steps: after `step_of_epoch` steps of epoch `epochs`, or after
/// `epochs` whole epochs, of which the last may still have to be validated.
struct TrainingPosition {
  std::int64_t steps = 0;   ///< since training began
  std::int64_t epochs = 0;  ///< finished ones
  std::int64_t step_of_epoch = 0;
  std::int64_t samples_of_epoch = 0;
  bool validation_pending = false;  ///< of the epoch finished last
  double seconds = 0;               ///< of training, of all runs together

  friend bool operator==(TrainingPosition const&, TrainingPosition const&) = default;
};

/// The state of one callback or controller, as it describes it itself.
struct CallbackState {
  std::string callback;
  std::vector<std::string> ranks;  ///< per rank of the trainer; empty text: it has none there

  friend bool operator==(CallbackState const&, CallbackState const&) = default;
};

struct Manifest {
  std::string experiment;
  std::int64_t written = 0;  ///< seconds since 1970
  std::int64_t ranks = 1;    ///< of the trainer that wrote it
  TrainingPosition position;
  /// Learning rates as the plan starts them, by the name of their tensor: one that the user has
  /// changed since takes effect on resume.
  std::map<std::string, double> initial_learning_rates;
  // Of the state file, a safetensors file.
  std::int64_t header_bytes = 0;             ///< before the arrays
  std::uint64_t header_digest = 0;           ///< of these bytes
  std::int64_t array_bytes = 0;              ///< of all arrays
  std::vector<std::uint64_t> chunk_digests;  ///< of each `checkpoint_chunk_bytes` of the arrays
  std::int64_t plan_bytes = 0;
  std::uint64_t plan_digest = 0;
  std::vector<CallbackState> callbacks;

  friend bool operator==(Manifest const&, Manifest const&) = default;
};

/// JSON that begins with a digest of all that follows it.
std::string to_text(Manifest const& manifest);

/// The manifest in `text`. The problem says whether the text was changed since it was written, or
/// is of a format this version does not read.
Result<Manifest> parse_manifest(std::string_view text);

}  // namespace lbann::runtime
