// A learning rate multiplied when training gets no better.
#include "runtime/callbacks/learning_rate_schedule.hpp"

namespace lbann::runtime {

namespace {

/// Ranks decide for themselves: the objective has the same bits on all of them.
class AdaptiveSchedule final : public Schedule {
 public:
  AdaptiveSchedule(callbacks::adaptive_learning_rate const& fields, RunView const& run)
      : Schedule(fields.weights, run), factor_(fields.amt), plateau_(fields.patience) {}

  bool observes_steps() const override { return false; }

 private:
  void epoch_end(PhaseResult const& phase) override {
    if (plateau_.reached(phase.objective))
      rates_.change([&](double now, double) { return now * factor_; });
  }

  double factor_;
  Plateau plateau_;
};

}  // namespace

bool Plateau::reached(double value) {
  bool const lower = !any_ || value < lowest_;
  bool const act = !lower && waited_ >= patience_;
  if (lower || act) {
    lowest_ = value;
    waited_ = 0;
    any_ = true;
  } else {
    ++waited_;
  }
  return act;
}

std::unique_ptr<Observer> observer_of(callbacks::adaptive_learning_rate const& fields,
                                      RunView const& run, Span) {
  return std::make_unique<AdaptiveSchedule>(fields, run);
}

}  // namespace lbann::runtime
