// One rank's part of a mini-batch.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>

namespace lbann::runtime {

struct MiniBatch {
  std::int64_t samples = 0;       ///< on all ranks
  std::int64_t local = 0;         ///< here
  std::int64_t first_sample = 0;  ///< place in the pass of the first one here
  /// When a data thread read it, and which.
  std::chrono::steady_clock::time_point read_begin, read_end;
  std::int64_t thread = 0;
  /// Numbers in their data of the samples here; valid until the next mini-batch.
  std::span<std::int64_t const> indices = {};
};

}  // namespace lbann::runtime
