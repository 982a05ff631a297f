// A learning rate that falls as a power of the part of training that remains.
#include <cmath>

#include "runtime/callbacks/learning_rate_schedule.hpp"

namespace lbann::runtime {

double rate_at(callbacks::poly_learning_rate const& fields, TrainingTime const& time, double,
               double first) {
  auto const epochs = fields.num_epochs > 0 ? fields.num_epochs : time.max_epochs;
  // Epochs times steps may be more than 64 bits count.
  auto const length = fields.max_iter > 0
                          ? static_cast<double>(fields.max_iter)
                          : static_cast<double>(epochs) * static_cast<double>(time.steps_per_epoch);
  auto const done = static_cast<double>(time.steps);
  if (done >= length) return fields.end_lr;
  auto const left = (length - done) / length;
  return (first - fields.end_lr) * std::pow(left, fields.power) + fields.end_lr;
}

std::unique_ptr<Observer> observer_of(callbacks::poly_learning_rate const& fields,
                                      RunView const& run, Span) {
  return formula_schedule<true>(fields, run);
}

}  // namespace lbann::runtime
