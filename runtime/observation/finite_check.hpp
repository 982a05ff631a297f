// Finds the first output that is infinite or NaN.
#pragma once

#include <optional>

#include "runtime/execution/executor.hpp"

namespace lbann::runtime {

/// Runs entry points and checks all outputs of each instruction (`--check-finite`, and the first
/// step), but for those of a backward pass with a loss scale, which may be infinite: the step is
/// left out then. Slower than the plain loop by reading all outputs once more.
class FiniteCheck {
 public:
  /// `all`: looks until a number is not finite. `cause`: looks for what may have made an objective
  /// NaN, beyond infinite numbers.
  enum class Scope : std::uint8_t { all, cause };

  explicit FiniteCheck(Plan const& plan, Scope scope = Scope::all) : plan_(plan), scope_(scope) {}

  /// Executes all instructions (other ranks may wait for this rank's sums) and records the first
  /// one whose output is not finite; not what comes of another rank's numbers.
  void run(BoundEntry const& entry);
  /// That instruction, with the line of its layer, what it was computed from and what that usually
  /// means; or nothing.
  std::optional<Problem> const& problem() const { return problem_; }
  /// The same of the first output that is not a number, which masks never are, unless it comes of
  /// an infinite one; else `problem`.
  std::optional<Problem> const& nan() const { return nan_ ? nan_ : problem_; }

 private:
  Problem described(BoundEntry const& entry, BoundEntry::Step const& step, std::size_t which,
                    kernels::View const& output, std::int64_t at);
  /// Not what a step does to weights, which is many bytes.
  bool can_reach_objective(TensorId tensor) const;
  /// Whether an instruction was given what is not finite.
  bool reads_infinite(BoundEntry const& entry, std::size_t index);
  void check_outputs(BoundEntry const& entry, BoundEntry::Step const& step);
  /// What went into entry `at` of an output; `fused`: through layers in between.
  std::string inputs_of(BoundEntry const& entry, std::size_t index, kernels::View const& output,
                        std::int64_t at, bool fused);

  /// `view`, or a copy of it in `copy` where it lies in the device's memory.
  static kernels::View on_host(kernels::View view, std::vector<std::byte>& copy);

  Plan const& plan_;
  Scope scope_;
  bool received_ = false;  ///< in this run, a number of another rank that is not finite
  std::vector<std::byte> output_, input_;  ///< copies of one tensor each
  std::optional<Problem> problem_, nan_;
};

}  // namespace lbann::runtime
