// A learning rate that falls along half a cosine.
#include <cmath>
#include <numbers>

#include "runtime/callbacks/learning_rate_schedule.hpp"

namespace lbann::runtime {

double rate_at(callbacks::cosine_decay_learning_rate const& fields, TrainingTime const& time,
               double, double) {
  auto const begin = fields.initial_warmup_learning_rate;
  if (time.steps < fields.warmup_steps)
    return begin + (fields.lr_max - begin) * static_cast<double>(time.steps) /
                       static_cast<double>(fields.warmup_steps);
  auto const step = time.steps - fields.warmup_steps;
  if (step >= fields.decay_steps) return fields.lr_min;
  auto const part = static_cast<double>(step) / static_cast<double>(fields.decay_steps);
  return fields.lr_min +
         (fields.lr_max - fields.lr_min) * 0.5 * (1 + std::cos(std::numbers::pi * part));
}

std::unique_ptr<Observer> observer_of(callbacks::cosine_decay_learning_rate const& fields,
                                      RunView const& run, Span) {
  return formula_schedule<true>(fields, run);
}

}  // namespace lbann::runtime
