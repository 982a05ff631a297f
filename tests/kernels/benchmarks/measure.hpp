// Times of operators against what the machine can do, measured in the same run.
#pragma once

#include <string>
#include <vector>

#include "schemas/operators/operators.hpp"

namespace lbann::benchmarks {

/// What all threads of this process reach together.
struct Machine {
  double flops = 0;  ///< operations in a second, see `fma_rate`
  double bytes = 0;  ///< read and written in a second when 64 MiB are copied
};

Machine measure_machine();

struct Options {
  Machine machine;
  double seconds = 0.25;  ///< spent on each case
  std::string only;       ///< measures the cases with this in their name; empty: all
};

/// One call of an operator.
struct Case {
  std::string name;
  Operator op;
  TensorTypes inputs;  ///< must fit the operator
  std::int64_t samples = 1;
  std::vector<int> in_place = {};  ///< of each output: the input whose memory it takes
  unsigned places = 0;             ///< that the second input, of indices, names
};

/// Best time of every implementation but the reference, a line each: operations or bytes in a
/// second, whichever the machine needs longer for, and how much of the machine's that is. Cases
/// that fit into caches may pass its bandwidth.
void measure(Options const& options, Case const& one);

}  // namespace lbann::benchmarks
