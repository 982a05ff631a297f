// Mini-batch sizes of the passes over the data.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "schemas/plan/plan.hpp"
#include "schemas/vocabulary/execution_mode.hpp"

namespace lbann::runtime {

/// The mini-batches of one pass over the samples of a role; all zero where the plan has no such
/// role.
struct PhaseSize {
  std::int64_t samples = 0;
  std::int64_t mini_batch = 0;
  std::int64_t micro_batch = 0;  ///< samples that are computed at a time

  std::int64_t steps() const {
    return mini_batch == 0 ? 0 : (samples + mini_batch - 1) / mini_batch;
  }
  std::int64_t last_mini_batch() const {
    return mini_batch == 0 ? 0 : samples - (steps() - 1) * mini_batch;
  }
  /// Of the mini-batch of step `step`.
  std::int64_t samples_of(std::int64_t step) const {
    return step + 1 == steps() ? last_mini_batch() : mini_batch;
  }
  /// Of all mini-batches.
  std::int64_t micro_batches() const { return quotient(samples); }
  std::int64_t last_micro_batch() const {
    return micro_batch == 0 ? 0 : samples - (micro_batches() - 1) * micro_batch;
  }
  /// Of a full mini-batch.
  std::int64_t micro_batches_of_step() const { return quotient(mini_batch); }

 private:
  std::int64_t quotient(std::int64_t of) const {
    return micro_batch == 0 ? 0 : (of + micro_batch - 1) / micro_batch;
  }
};

/// The mini-batches of all passes; those of training change by the plan's schedule.
class PhaseSizes {
 public:
  PhaseSizes() = default;
  /// `samples`: number of samples per role, by ExecutionMode; no mini-batch is larger.
  PhaseSizes(Plan const& plan, std::array<std::int64_t, run_modes> samples);

  /// The sizes of pass `pass`, counted from 0 per role; in training, of an epoch.
  PhaseSize of(ExecutionMode mode, std::int64_t pass = 0) const;
  /// Every size that passes of a role can have; none without samples.
  std::vector<PhaseSize> all(ExecutionMode mode) const;
  /// The most samples of `mode` that are computed at a time, in any pass.
  std::int64_t largest_micro_batch(ExecutionMode mode) const;
  /// The most of all roles; at least 1.
  std::int64_t largest_micro_batch() const;

 private:
  PhaseSize size(ExecutionMode mode, std::int64_t mini_batch) const;

  std::array<std::int64_t, run_modes> samples_{};
  std::int64_t mini_batch_ = 0, accumulate_ = 1;
  std::vector<MiniBatchChange> changes_;
};

}  // namespace lbann::runtime
