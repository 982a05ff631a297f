// A learning rate set after an epoch.
#include "runtime/callbacks/learning_rate_schedule.hpp"

namespace lbann::runtime {

double rate_at(callbacks::set_learning_rate const& fields, TrainingTime const& time, double now,
               double) {
  return time.epochs == fields.step ? fields.val : now;
}

std::unique_ptr<Observer> observer_of(callbacks::set_learning_rate const& fields,
                                      RunView const& run, Span) {
  return formula_schedule<false>(fields, run);
}

}  // namespace lbann::runtime
