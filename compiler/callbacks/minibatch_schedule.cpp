// Mini-batches and learning rates that change after given epochs.
#include "compiler/callbacks/minibatch_schedule.hpp"

#include <algorithm>

#include "compiler/callbacks/mini_batch_steps.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::callbacks {

namespace {

using compiler::Declaration;

/// The steps as they are written, by their epochs.
std::vector<Declaration const*> written_steps(Declaration const& callback) {
  std::vector<Declaration const*> steps;
  if (auto const* part = callback.find_part(minibatch_schedule_step::name))
    for (auto const& step : part->values) steps.push_back(&step);
  std::ranges::stable_sort(
      steps, {}, [](Declaration const* step) { return step->as<minibatch_schedule_step>().epoch; });
  return steps;
}

std::vector<MiniBatchStep> steps_of(Declaration const& callback, std::int64_t largest) {
  auto const starting = callback.as<minibatch_schedule>().starting_mbsize;
  std::vector<MiniBatchStep> steps = {{0, std::min(starting, largest)}};
  for (auto const* written : written_steps(callback)) {
    auto const& [epoch, size, rate, ramp_time] = written->as<minibatch_schedule_step>();
    steps.push_back({epoch, std::min(size, largest), rate, 1, ramp_time});
  }
  return steps;
}

}  // namespace

void minibatch_schedule::check(compiler::CallbackCheck const& check) const {
  check_size(check, check.declaration, "starting_mbsize", starting_mbsize);
  Declaration const* before = nullptr;
  for (auto const* step : written_steps(check.declaration)) {
    auto const& [epoch, size, rate, ramp_time] = step->as<minibatch_schedule_step>();
    check_size(check, *step, "mbsize", size);
    if (before != nullptr && before->as<minibatch_schedule_step>().epoch == epoch)
      check.report
          .add(diagnostics::mini_batch_sizes_twice, step->place_of("epoch"),
               {"a step at epoch " + std::to_string(epoch)})
          .labels.push_back({before->place_of("epoch"), "the first"});
    before = step;
  }
}

std::vector<MiniBatchChange> minibatch_schedule::mini_batches(Declaration const& written,
                                                              std::int64_t largest) {
  return sizes_of(steps_of(written, largest));
}

void minibatch_schedule::lower(compiler::CallbackLowering& lowering) const {
  lower_learning_rates(steps_of(lowering.declaration(), lowering.largest_mini_batch()), lowering);
}

}  // namespace lbann::callbacks
