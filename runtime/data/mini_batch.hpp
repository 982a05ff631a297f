// One rank's part of a mini-batch.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>

namespace lbann::runtime {

/// Samples of a mini-batch that a data thread has read together: when, and by which thread.
struct ReadPart {
  std::int64_t samples = 0;
  std::chrono::steady_clock::time_point begin, end;
  std::int64_t thread = 0;
};

struct MiniBatch {
  std::int64_t samples = 0;       ///< on all ranks
  std::int64_t local = 0;         ///< of this rank
  std::int64_t first_sample = 0;  ///< index in the pass of this rank's first sample
  double waited = 0;              ///< seconds that the training thread waited for it
  /// Indices of this rank's samples in the data; valid until the next mini-batch, as `parts`.
  std::span<std::int64_t const> indices = {};
  std::span<ReadPart const> parts = {};  ///< some may be empty
};

}  // namespace lbann::runtime
