// All weights of a model, copied in memory.
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/checkpoints/state_arrays.hpp"
#include "runtime/execution/executor.hpp"

namespace lbann::runtime {

/// A copy of the values of every weights object of a plan, trained or not, on this rank.
class WeightsCopy {
 public:
  /// Copies the weights as they are now; replaces an earlier copy.
  void take(Executor const& executor, Plan const& plan);
  bool taken() const { return taken_; }
  void set_taken(bool taken) { taken_ = taken; }
  /// Its values as arrays for a checkpoint, named as the weights; zeros where none were taken.
  std::vector<StateArray> arrays(Executor const& executor, Plan const& plan);
  /// Writes the copy back. On every rank of the trainer, each with a copy of the same time.
  void put_back(Executor const& executor, Plan const& plan) const;

 private:
  std::vector<std::vector<std::byte>> values_;  ///< as `plan.weights`
  bool taken_ = false;
};

}  // namespace lbann::runtime
