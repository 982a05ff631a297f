// Mini-batches that double every so many epochs.
#include "compiler/callbacks/step_minibatch.hpp"

#include <algorithm>

#include "compiler/callbacks/mini_batch_steps.hpp"

namespace lbann::callbacks {

std::vector<MiniBatchStep> steps_of(step_minibatch const& fields, std::int64_t largest) {
  std::vector<MiniBatchStep> steps = {{0, std::min(fields.starting_mbsize, largest)}};
  std::int64_t epoch = 0;
  while (steps.back().mini_batch < largest && !__builtin_add_overflow(epoch, fields.step, &epoch)) {
    auto const now = steps.back().mini_batch;
    auto const next = now > largest / 2 ? largest : 2 * now;
    auto const factor = static_cast<double>(next) / static_cast<double>(now);
    steps.push_back({epoch, next, 0, factor, fields.ramp_time});
  }
  return steps;
}

void step_minibatch::check(compiler::CallbackCheck const& check) const {
  check_size(check, check.declaration, "starting_mbsize", starting_mbsize);
}

std::vector<MiniBatchChange> step_minibatch::mini_batches(compiler::Declaration const& written,
                                                          std::int64_t largest) {
  return sizes_of(steps_of(written.as<step_minibatch>(), largest));
}

void step_minibatch::lower(compiler::CallbackLowering& lowering) const {
  lower_learning_rates(steps_of(*this, lowering.largest_mini_batch()), lowering);
}

}  // namespace lbann::callbacks
