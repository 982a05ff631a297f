// All weights of a model, copied in memory.
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/execution/executor.hpp"

namespace lbann::runtime {

/// A copy of the values of every weights object of a plan, trained or not, on this rank.
class WeightsCopy {
 public:
  /// Copies the weights as they are now; replaces an earlier copy.
  void take(Executor const& executor, Plan const& plan);
  bool taken() const { return !values_.empty(); }
  /// Writes the copy back. On every rank of the trainer, each with a copy of the same time.
  void put_back(Executor const& executor, Plan const& plan) const;

 private:
  std::vector<std::vector<std::byte>> values_;  ///< as `plan.weights`
};

}  // namespace lbann::runtime
