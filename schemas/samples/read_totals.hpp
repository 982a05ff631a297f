// Counts of what readers have read from files, for the summary of a run.
#pragma once

#include <atomic>
#include <cstdint>

namespace lbann {

/// Of this process, since it began. Readers of files count what they read; a file that is opened
/// again counts again.
struct ReadTotals {
  std::atomic<std::int64_t> files{0};
  std::atomic<std::int64_t> bytes{0};
};

ReadTotals& read_totals();

}  // namespace lbann
