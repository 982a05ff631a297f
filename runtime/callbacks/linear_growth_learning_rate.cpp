// A learning rate that grows from epoch to epoch.
#include "runtime/callbacks/learning_rate_schedule.hpp"

namespace lbann::runtime {

double rate_at(callbacks::linear_growth_learning_rate const& fields, TrainingTime const& time,
               double now, double first) {
  auto const grown = time.epochs - fields.delay;
  if (grown < 0 || grown > fields.num_epochs) return now;
  auto const part = static_cast<double>(grown) / static_cast<double>(fields.num_epochs);
  return first + (fields.target - first) * part;
}

std::unique_ptr<Observer> observer_of(callbacks::linear_growth_learning_rate const& fields,
                                      RunView const& run, Span) {
  return formula_schedule<false>(fields, run);
}

}  // namespace lbann::runtime
