// Mini-batch sizes of the passes over the data.
#include "runtime/data/phase_sizes.hpp"

#include <algorithm>

namespace lbann::runtime {

PhaseSizes::PhaseSizes(Plan const& plan, std::array<std::int64_t, run_modes> samples)
    : samples_(samples),
      mini_batch_(plan.mini_batch_size),
      accumulate_(plan.accumulate),
      changes_(plan.training.mini_batches) {}

PhaseSize PhaseSizes::size(ExecutionMode mode, std::int64_t mini_batch) const {
  auto const samples = samples_[static_cast<std::size_t>(mode)];
  auto const micro_batch = std::min(samples, mini_batch / accumulate_);
  // Evaluation accumulates nothing: each micro-batch is a step.
  bool const training = mode == ExecutionMode::training;
  return {samples, training ? std::min(samples, mini_batch) : micro_batch, micro_batch};
}

PhaseSize PhaseSizes::of(ExecutionMode mode, std::int64_t pass) const {
  auto mini_batch = mini_batch_;
  if (mode == ExecutionMode::training)
    for (auto const& change : changes_)
      if (change.epoch <= pass) mini_batch = change.mini_batch;
  return size(mode, mini_batch);
}

std::vector<PhaseSize> PhaseSizes::all(ExecutionMode mode) const {
  std::vector<PhaseSize> sizes;
  if (samples_[static_cast<std::size_t>(mode)] == 0) return sizes;
  if (mode == ExecutionMode::training)
    for (auto const& change : changes_) sizes.push_back(size(mode, change.mini_batch));
  if (sizes.empty()) sizes.push_back(size(mode, mini_batch_));
  return sizes;
}

std::int64_t PhaseSizes::largest_micro_batch(ExecutionMode mode) const {
  std::int64_t largest = 0;
  for (auto const& size : all(mode)) largest = std::max(largest, size.micro_batch);
  return largest;
}

std::int64_t PhaseSizes::largest_micro_batch() const {
  std::int64_t largest = 1;
  for (auto const mode :
       {ExecutionMode::training, ExecutionMode::validation, ExecutionMode::testing})
    largest = std::max(largest, largest_micro_batch(mode));
  return largest;
}

}  // namespace lbann::runtime
