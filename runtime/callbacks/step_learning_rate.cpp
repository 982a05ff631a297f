// A learning rate multiplied every so many epochs.
#include "runtime/callbacks/learning_rate_schedule.hpp"

namespace lbann::runtime {

double rate_at(callbacks::step_learning_rate const& fields, TrainingTime const& time, double now,
               double) {
  return time.epochs % fields.step == 0 ? now * fields.amt : now;
}

std::unique_ptr<Observer> observer_of(callbacks::step_learning_rate const& fields,
                                      RunView const& run, Span) {
  return formula_schedule<false>(fields, run);
}

}  // namespace lbann::runtime
