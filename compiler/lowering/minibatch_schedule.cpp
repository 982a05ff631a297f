// Mini-batches and learning rates that change after given epochs.
#include <algorithm>

#include "compiler/lowering/mini_batch_changes.hpp"

namespace lbann::compiler {

using callbacks::minibatch_schedule_step;

std::vector<Declaration const*> steps_of(Declaration const& callback) {
  std::vector<Declaration const*> steps;
  if (auto const* part = callback.find_part(minibatch_schedule_step::name))
    for (auto const& step : part->values) steps.push_back(&step);
  std::ranges::stable_sort(
      steps, {}, [](Declaration const* step) { return step->as<minibatch_schedule_step>().epoch; });
  return steps;
}

std::vector<MiniBatchChange> changes_of(callbacks::minibatch_schedule const& fields,
                                        std::vector<Declaration const*> const& steps,
                                        std::int64_t largest) {
  std::vector<MiniBatchChange> changes = {{0, std::min(fields.starting_mbsize, largest)}};
  for (auto const* step : steps) {
    auto const& [epoch, size, rate, ramp_time] = step->as<minibatch_schedule_step>();
    changes.push_back({epoch, std::min(size, largest), rate, 1, ramp_time});
  }
  return changes;
}

}  // namespace lbann::compiler
