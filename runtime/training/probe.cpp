// Runs entry points on first mini-batches.
#include "runtime/training/probe.hpp"

#include <algorithm>

#include "runtime/communication/agreement.hpp"

namespace lbann::runtime {

bool PhaseProbe::has(ExecutionMode mode) const {
  auto const& phase = phases_[static_cast<std::size_t>(mode)];
  return phase.has_value() && phase->size().samples > 0;
}

Result<BoundEntry const*> PhaseProbe::bind(std::string_view entry, ExecutionMode mode) {
  auto const& phase = *phases_[static_cast<std::size_t>(mode)];
  return executor_.bind(entry, phase.size().micro_batch);
}

Result<Success> PhaseProbe::load_first(ExecutionMode mode) {
  auto& phase = *phases_[static_cast<std::size_t>(mode)];
  phase.begin(0);
  auto const batch = phase.load_next();
  Result<Success> loaded = Success{};
  if (!batch) loaded = batch.problem();
  if (ranks_ != nullptr) loaded = agree_on_status(*ranks_, std::move(loaded));
  if (!loaded) return loaded;
  auto const& plan = run_.plan;
  if (auto* const samples = executor_.scalar_or_null<double>(plan.mini_batch))
    *samples = static_cast<double>(phase.size().micro_batch);
  if (auto* const first = executor_.scalar_or_null<std::int64_t>(plan.first_sample))
    *first = batch.value().first_sample - executor_.first_sample(phase.size().micro_batch);
  return Success{};
}

void PhaseProbe::run(BoundEntry const& entry) {
  // No rank can stop or fail here: the status words are zero.
  if (entry.entry->status.valid()) {
    auto const status = executor_.place(entry.entry->status, 0);
    std::fill_n(status.as<double>(), status.elements(), 0.0);
  }
  Executor::run(entry);
}

}  // namespace lbann::runtime
