// The cores that a process may use, and what the environment asks OpenMP to do with them.
#pragma once

#include <cstdint>
#include <vector>

namespace lbann::runtime {

/// A set of cores, a bit each.
using CoreMask = std::vector<std::uint64_t>;

/// The cores that the calling thread may run on.
CoreMask affinity_mask();
/// Restricts the calling thread, and what it starts, to these cores; ignored where the system
/// refuses (a core that has gone offline).
void set_affinity(CoreMask const& mask);

CoreMask intersection(CoreMask const& a, CoreMask const& b);
std::int64_t count_cores(CoreMask const& mask);

/// OMP_PROC_BIND, as OpenMP understands it together with OMP_PLACES.
enum class ProcBind : std::uint8_t {
  unset,    ///< nothing is said: threads run on any core of the rank
  none,     ///< `false`: threads run wherever the system puts them
  close,    ///< `true`, `close`: thread i on place i
  spread,   ///< threads as far apart as there are places
  primary,  ///< all threads on the first place
};

struct Binding {
  ProcBind kind = ProcBind::unset;
  std::vector<CoreMask> places;  ///< of OMP_PLACES, or single cores; where threads are bound

  /// The cores of all places.
  CoreMask cores() const;
};

/// What OpenMP has read from the environment. Where threads are to be bound, OpenMP has already
/// bound the calling thread to its first place: that is undone, so that what it starts from now on
/// is not restricted to a single core.
Binding take_binding();

/// Where each of so many threads belongs, among those of the places that lie within `own`; empty
/// where threads are not bound.
std::vector<CoreMask> thread_places(Binding const& binding, CoreMask const& own,
                                    std::int64_t threads);

/// Cores' worth of time that the control group of this process is allowed (cpu.max of version 2,
/// cpu.cfs_quota_us of version 1), rounded up; 0 without a limit. `root`: where control groups are
/// mounted; `groups`: the contents of /proc/self/cgroup.
std::int64_t cgroup_quota(char const* root, char const* groups);
std::int64_t cgroup_quota();

/// While it lives the calling thread may run on all cores of its rank: for threads and processes it
/// starts, which would inherit the single place of a bound thread.
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

}  // namespace lbann::runtime
