// What the environment asks OpenMP to do with the cores of a rank, and limits of time on them.
#pragma once

#include <cstdint>
#include <vector>

#include "schemas/processes/core_mask.hpp"

namespace lbann::runtime {

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

}  // namespace lbann::runtime
