// Where a number first becomes infinite or undefined.
#pragma once

#include <optional>

#include "runtime/execution/executor.hpp"

namespace lbann::runtime {

/// Runs entry points and looks at everything each instruction has written: `--check-finite`. Slower
/// than the plain loop by reading all outputs once more.
class FiniteCheck {
 public:
  explicit FiniteCheck(Plan const& plan) : plan_(plan) {}

  /// Executes all instructions (others may wait for this rank's sums) and keeps the first one whose
  /// output is not finite.
  void run(BoundEntry const& entry);
  /// That instruction, with the line of its layer, or nothing.
  std::optional<Problem> const& problem() const { return problem_; }

 private:
  void look_at(BoundEntry const& entry, BoundEntry::Step const& step);

  Plan const& plan_;
  std::optional<Problem> problem_;
};

}  // namespace lbann::runtime
