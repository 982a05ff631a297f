// A learning rate multiplied after given epochs.
#include <algorithm>

#include "runtime/callbacks/learning_rate_schedule.hpp"

namespace lbann::runtime {

double rate_at(callbacks::drop_fixed_learning_rate const& fields, TrainingTime const& time,
               double now, double) {
  auto const& drops = fields.drop_epoch;
  return std::ranges::find(drops, time.epochs) == drops.end() ? now : now * fields.amt;
}

std::unique_ptr<Observer> observer_of(callbacks::drop_fixed_learning_rate const& fields,
                                      RunView const& run, Span) {
  return formula_schedule<false>(fields, run);
}

}  // namespace lbann::runtime
