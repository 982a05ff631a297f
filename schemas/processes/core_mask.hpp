// The cores that a thread, and what it starts, may run on.
#pragma once

#include <cstdint>
#include <vector>

namespace lbann {

/// A set of cores, a bit each.
using CoreMask = std::vector<std::uint64_t>;

/// The cores that the calling thread may run on.
CoreMask affinity_mask();
/// Restricts the calling thread, and what it starts, to these cores; ignored where the system
/// refuses (a core that has gone offline).
void set_affinity(CoreMask const& mask);

CoreMask intersection(CoreMask const& a, CoreMask const& b);
std::int64_t count_cores(CoreMask const& mask);

/// While it lives the calling thread may run on all cores of its rank. Threads and processes
/// inherit the mask of the thread that starts them, and a compute thread that OpenMP has bound may
/// use a single core only.
class OnAllCores {
 public:
  OnAllCores();
  ~OnAllCores();
  OnAllCores(OnAllCores const&) = delete;
  OnAllCores& operator=(OnAllCores const&) = delete;

  /// Says which cores these are; until then the calling thread's mask stays as it is.
  static void set(CoreMask const& cores);

 private:
  CoreMask before_;
};

}  // namespace lbann
