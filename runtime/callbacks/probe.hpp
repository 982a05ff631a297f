// Runs entry points that write no state on a first mini-batch, between steps of training.
#pragma once

#include <string_view>

#include "runtime/data/phase_sizes.hpp"
#include "runtime/execution/executor.hpp"

namespace lbann::runtime {

/// What a callback may run between steps. Collective over the ranks of a trainer.
class Probe {
 public:
  virtual ~Probe() = default;
  /// Whether the plan has data for `mode`.
  virtual bool has(ExecutionMode mode) const = 0;
  /// Binds `entry` for the first mini-batch of `mode`, which must have data; before training.
  virtual Result<BoundEntry const*> bind(std::string_view entry, ExecutionMode mode) = 0;
  /// Fills the inputs with the first mini-batch of the first pass of `mode`; the next pass starts
  /// from its beginning.
  virtual Result<Success> load_first(ExecutionMode mode) = 0;
  /// Executes `entry`.
  virtual void run(BoundEntry const& entry) = 0;
  virtual Executor& executor() = 0;
};

}  // namespace lbann::runtime
