// Runs entry points on the first mini-batch of a phase, for callbacks between steps.
#pragma once

#include <array>
#include <optional>

#include "runtime/callbacks/callback.hpp"
#include "runtime/callbacks/probe.hpp"
#include "runtime/training/phase.hpp"

namespace lbann::runtime {

/// A probe on the phases of a run.
class PhaseProbe final : public Probe {
 public:
  /// All must outlive this; `ranks` null: a single process.
  PhaseProbe(CallbackContext const& run, Executor& executor,
             std::array<std::optional<Phase>, run_modes>& phases, Communicator* ranks)
      : run_(run), executor_(executor), phases_(phases), ranks_(ranks) {}

  bool has(ExecutionMode mode) const override;
  Result<BoundEntry const*> bind(std::string_view entry, ExecutionMode mode) override;
  Result<Success> load_first(ExecutionMode mode) override;
  void run(BoundEntry const& entry) override;
  Executor& executor() override { return executor_; }

 private:
  CallbackContext const& run_;
  Executor& executor_;
  std::array<std::optional<Phase>, run_modes>& phases_;
  Communicator* ranks_;
};

}  // namespace lbann::runtime
