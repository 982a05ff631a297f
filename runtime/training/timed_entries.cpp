// Entry points of a plan that are run between steps.
#include "runtime/training/timed_entries.hpp"

namespace lbann::runtime {

Result<TimedEntries> TimedEntries::bind(Plan const& plan, Executor& executor) {
  TimedEntries timed;
  for (auto const& entry : plan.program.entry_points) {
    if (!entry.timing) continue;
    auto bound = executor.bind(entry.name, executor.program().mini_batch);
    if (!bound) return bound.problem();
    timed.entries_[static_cast<std::size_t>(entry.timing->moment)].push_back(
        {*entry.timing, bound.value()});
  }
  return timed;
}

}  // namespace lbann::runtime
