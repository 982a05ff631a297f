// What schedules of learning rates share: LBANN's formulas, and when they act.
#pragma once

#include <cstdint>

#include "runtime/callbacks/callbacks.hpp"
#include "runtime/callbacks/learning_rates.hpp"

namespace lbann::runtime {

/// Where training stands.
struct TrainingTime {
  std::int64_t steps = 0;            ///< finished
  std::int64_t epochs = 0;           ///< finished
  std::int64_t steps_per_epoch = 0;  ///< of the first epoch
  std::int64_t max_epochs = 0;       ///< that training may have; 0: no limit
};

// The learning rate at a time, by the formula of the callback's declaration, from the one `now` and
// the one that training began with. The first four are asked at the end of an epoch, the others
// before every step.

double rate_at(callbacks::step_learning_rate const&, TrainingTime const&, double now, double first);
double rate_at(callbacks::set_learning_rate const&, TrainingTime const&, double now, double first);
double rate_at(callbacks::drop_fixed_learning_rate const&, TrainingTime const&, double now,
               double first);
double rate_at(callbacks::linear_growth_learning_rate const&, TrainingTime const&, double now,
               double first);
double rate_at(callbacks::poly_learning_rate const&, TrainingTime const&, double now, double first);
double rate_at(callbacks::cosine_decay_learning_rate const&, TrainingTime const&, double now,
               double first);

/// When something no longer gets lower. LBANN's rule of adaptive learning rates: it acts when
/// `patience` values have been borne and another is not lower either, and begins anew from there.
class Plateau {
 public:
  explicit Plateau(std::int64_t patience) : patience_(patience) {}
  /// Whether it is time to act.
  bool reached(double value);

 private:
  std::int64_t patience_;
  std::int64_t waited_ = 0;
  double lowest_ = 0;
  bool any_ = false;
};

/// Changes learning rates between steps, on every rank alike.
class Schedule : public Observer {
 public:
  Schedule(std::vector<std::string> const& weights, RunView const& run)
      : rates_(weights, run), run_(run) {
    time_.steps_per_epoch = run.sizes.of(ExecutionMode::training).steps();
    time_.max_epochs = run.plan.training.max_epochs;
  }

  bool on_every_rank() const override { return true; }
  bool observes_steps() const override { return true; }

  Result<Success> train_begin() override {
    rates_.begin();
    return Success{};
  }

  void step_begin(std::int64_t step) override { time_.steps = step; }

  Result<Success> step_end(StepResult const& step) override {
    time_.steps = step.step + 1;
    return Success{};
  }

  Result<Success> phase_end(PhaseResult const& phase) override {
    if (phase.mode != ExecutionMode::training || !phase.complete) return Success{};
    time_.epochs = phase.epoch + 1;
    epoch_end(phase);
    rates_.tell(time_.epochs);
    return Success{};
  }

 protected:
  virtual void epoch_end(PhaseResult const&) {}

  LearningRates rates_;
  RunView const& run_;
  TrainingTime time_;
};

/// Acts at the end of epochs, or before every step and, so that the log can tell, at the end of
/// epochs.
template <class Fields, bool every_step>
class FormulaSchedule final : public Schedule {
 public:
  FormulaSchedule(Fields const& fields, RunView const& run)
      : Schedule(fields.weights, run), fields_(fields) {}

  bool observes_steps() const override { return every_step; }

  void step_begin(std::int64_t step) override {
    Schedule::step_begin(step);
    act();
  }

 private:
  void epoch_end(PhaseResult const&) override { act(); }
  void act() {
    rates_.change([&](double now, double first) { return rate_at(fields_, time_, now, first); });
  }

  Fields fields_;
};

template <bool every_step, class Fields>
std::unique_ptr<Observer> formula_schedule(Fields const& fields, RunView const& run) {
  return std::make_unique<FormulaSchedule<Fields, every_step>>(fields, run);
}

}  // namespace lbann::runtime
