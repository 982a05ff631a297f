// What callbacks may run between steps: entry points that write no state, on a first mini-batch.
#pragma once

#include <array>
#include <optional>

#include "runtime/observation/observer.hpp"
#include "runtime/training/phase.hpp"

namespace lbann::runtime {

/// Runs entry points beside training. Collective on the ranks of a trainer, as they are.
class Probe {
 public:
  /// All outlive this; `ranks` null: a single process.
  Probe(RunView const& run, Executor& executor, std::array<std::optional<Phase>, 3>& phases,
        Communicator* ranks)
      : run_(run), executor_(executor), phases_(phases), ranks_(ranks) {}

  /// Whether the plan has data for `mode`.
  bool has(ExecutionMode mode) const;
  /// Binds `entry` for the first mini-batch of `mode`, which there is; before training.
  Result<BoundEntry const*> bind(std::string_view entry, ExecutionMode mode);
  /// Fills the inputs with the first mini-batch of the first pass of `mode`; the pass that comes
  /// next begins at its beginning.
  Result<Success> load_first(ExecutionMode mode);
  /// Executes it.
  void run(BoundEntry const& entry);

  Executor& executor() { return executor_; }

 private:
  RunView const& run_;
  Executor& executor_;
  std::array<std::optional<Phase>, 3>& phases_;
  Communicator* ranks_;
};

}  // namespace lbann::runtime
