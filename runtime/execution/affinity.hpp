// Thread affinity set by OpenMP's environment variables, and CPU quotas of cgroups.
#pragma once

#include <cstdint>
#include <vector>

#include "schemas/processes/core_mask.hpp"

namespace lbann::runtime {

/// OMP_PROC_BIND, as OpenMP understands it together with OMP_PLACES.
enum class ProcBind : std::uint8_t {
  unset,    ///< not set: threads run on any core of the rank
  none,     ///< `false`: threads are not bound
  close,    ///< `true`, `close`: thread i on place i
  spread,   ///< threads as far apart as there are places
  primary,  ///< all threads on the first place
};

struct Binding {
  ProcBind kind = ProcBind::unset;
  std::vector<CoreMask> places;  ///< of OMP_PLACES, or single cores; empty if not bound

  /// The cores of all places.
  CoreMask cores() const;
};

/// OpenMP's settings from the environment. If threads are to be bound, OpenMP has already bound the
/// calling thread to its first place: this is undone, so that threads it starts are not restricted
/// to a single core.
Binding take_binding();

/// The place of each of `threads` threads, among the places that lie within `own`; empty if threads
/// are not bound.
std::vector<CoreMask> thread_places(Binding const& binding, CoreMask const& own,
                                    std::int64_t threads);

/// CPU quota of this process's cgroup, in cores (cpu.max of version 2, cpu.cfs_quota_us of version
/// 1), rounded up; 0 without a limit. `root`: where cgroups are mounted; `groups`: the contents of
/// /proc/self/cgroup.
std::int64_t cgroup_quota(char const* root, char const* groups);
std::int64_t cgroup_quota();

}  // namespace lbann::runtime
