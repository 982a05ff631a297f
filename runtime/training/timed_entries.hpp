// Entry points of a plan that are run between steps.
#pragma once

#include <array>
#include <vector>

#include "runtime/execution/executor.hpp"

namespace lbann::runtime {

/// The entry points with a timing, in the plan's order. They change state and contain no
/// collective: all ranks compute the same.
class TimedEntries {
 public:
  /// Binds them all; the problem names an instruction's line.
  static Result<TimedEntries> bind(Plan const& plan, Executor& executor);

  /// Calls `run` with the entry points that are due at `count` of `moment`.
  template <class Run>
  void run_due(Moment moment, std::int64_t count, Run const& run) const {
    for (auto const& [timing, entry] : of(moment))
      if (timing.due(count)) run(*entry);
  }

 private:
  struct Timed {
    Timing timing;
    BoundEntry const* entry;
  };

  std::vector<Timed> const& of(Moment moment) const {
    return entries_[static_cast<std::size_t>(moment)];
  }

  std::array<std::vector<Timed>, moment_names.size()> entries_;
};

}  // namespace lbann::runtime
