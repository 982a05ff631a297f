// Profile of a step: median time per instruction.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "runtime/execution/executor.hpp"

namespace lbann::runtime {

/// Runs entry points and times each instruction; slower than the plain loop by reading the clock.
class Profile {
 public:
  void run(BoundEntry const& entry);
  /// A table per entry point and mini-batch size: what a run does in all (instructions, operations,
  /// bytes of inputs and outputs, how often threads wait for one another); median time, share,
  /// operator, kernel chosen, layer, bytes of inputs and outputs, GB/s and GF/s from these and from
  /// `flops` of the operator.
  std::vector<std::string> table(SpecializedProgram const& program) const;

 private:
  struct Times {
    std::vector<std::vector<float>> seconds;  ///< per step, per run
    std::int64_t synchronisations = 0;        ///< of threads, in the last run
  };
  std::map<BoundEntry const*, Times> times_;
};

}  // namespace lbann::runtime
