// Mini-batches that double every so many epochs.
#include <algorithm>

#include "compiler/lowering/mini_batch_changes.hpp"

namespace lbann::compiler {

std::vector<MiniBatchChange> changes_of(callbacks::step_minibatch const& fields,
                                        std::int64_t largest) {
  std::vector<MiniBatchChange> changes = {{0, std::min(fields.starting_mbsize, largest)}};
  std::int64_t epoch = 0;
  while (changes.back().mini_batch < largest &&
         !__builtin_add_overflow(epoch, fields.step, &epoch)) {
    auto const now = changes.back().mini_batch;
    auto const next = now > largest / 2 ? largest : 2 * now;
    auto const factor = static_cast<double>(next) / static_cast<double>(now);
    changes.push_back({epoch, next, 0, factor, fields.ramp_time});
  }
  return changes;
}

}  // namespace lbann::compiler
