// One rank's part of a mini-batch.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>

namespace lbann::runtime {

struct MiniBatch {
  std::int64_t samples = 0;       ///< on all ranks
  std::int64_t local = 0;         ///< of this rank
  std::int64_t first_sample = 0;  ///< index in the pass of this rank's first sample
  /// When it was read, and by which data thread.
  std::chrono::steady_clock::time_point read_begin, read_end;
  std::int64_t thread = 0;
  /// Indices of this rank's samples in the data; valid until the next mini-batch.
  std::span<std::int64_t const> indices = {};
};

}  // namespace lbann::runtime
