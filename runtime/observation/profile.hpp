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
  /// A table per entry point and mini-batch size: median time, share, operator, kernel chosen,
  /// layer, bytes of inputs and outputs, GB/s and GF/s from these and from `flops` of the operator.
  std::vector<std::string> table(SpecializedProgram const& program) const;

 private:
  std::map<BoundEntry const*, std::vector<std::vector<float>>> seconds_;  ///< per step, per run
};

}  // namespace lbann::runtime
