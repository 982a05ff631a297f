// What one rank does in a step, as a trace that SimGrid replays on the model of a cluster.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schemas/reports/machine.hpp"
#include "schemas/specialization/specialize.hpp"

namespace lbann {

/// A message to one rank and one from another, which are sent at the same time; -1: none.
struct SumRound {
  std::int64_t to = -1, from = -1, bytes = 0;
};

/// A schedule of the sum of `bytes` bytes over `ranks` ranks for the one of index `index`, as MPI
/// libraries choose it: recursive doubling of small ones, a ring of large ones (Thakur,
/// Rabenseifner and Gropp, "Optimization of collective communication operations in MPICH", 2005).
std::vector<SumRound> sum_rounds(std::int64_t ranks, std::int64_t index, std::int64_t bytes);

/// Entry point `entry` of one rank in the format of SMPI's time-independent traces (Casanova,
/// Desprez, Markomanolis and Suter, "Simulation of MPI applications with time-independent traces",
/// 2015): computing in nanoseconds of a host of 1 Gflop/s, each by the roofline of `machine`, and
/// every message of exchanges with its size in bytes, posted and awaited where the runtime does so.
/// Sums over ranks take place where they are awaited.
std::string replay_of(SpecializedProgram const& program, std::string_view entry,
                      Machine const& machine);

}  // namespace lbann
