// Finds the first output that is infinite or NaN.
#pragma once

#include <optional>

#include "runtime/execution/executor.hpp"

namespace lbann::runtime {

/// Runs entry points and checks all outputs of each instruction (`--check-finite`). Slower than the
/// plain loop by reading all outputs once more.
class FiniteCheck {
 public:
  explicit FiniteCheck(Plan const& plan) : plan_(plan) {}

  /// Executes all instructions (other ranks may wait for this rank's sums) and records the first
  /// one whose output is not finite.
  void run(BoundEntry const& entry);
  /// That instruction, with the line of its layer, or nothing.
  std::optional<Problem> const& problem() const { return problem_; }

 private:
  void check_outputs(BoundEntry const& entry, BoundEntry::Step const& step);

  kernels::View on_host(kernels::View view);

  Plan const& plan_;
  std::vector<std::byte> copy_;  ///< of one output
  std::optional<Problem> problem_;
};

}  // namespace lbann::runtime
