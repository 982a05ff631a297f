// Learning rates multiplied by random factors.
#include <cmath>

#include "runtime/callbacks/learning_rate_schedule.hpp"
#include "runtime/callbacks/random_change.hpp"

namespace lbann::runtime {

namespace {

/// Random numbers are a function of seed, weights and step: the same on all ranks, others for other
/// trainers.
class Perturbation final : public Schedule {
 public:
  Perturbation(callbacks::perturb_learning_rate const& fields, RunView const& run)
      : Schedule(fields.weights, run), fields_(fields) {}

  bool observes_steps() const override { return fields_.perturb_during_training; }

  Result<Success> train_begin() override {
    act(0);
    return Schedule::train_begin();
  }

  void step_begin(std::int64_t step) override {
    if (step > 0 && step % fields_.batch_interval == 0) act(step);
  }

 private:
  void act(std::int64_t step) {
    rates_.change_by_name([&](double now, std::string_view weights) {
      auto const normal = RandomChange(run_, fields_.name, weights).at(step).normal;
      return now * std::exp(fields_.learning_rate_factor * normal);
    });
  }

  callbacks::perturb_learning_rate fields_;
};

}  // namespace

std::unique_ptr<Observer> observer_of(callbacks::perturb_learning_rate const& fields,
                                      RunView const& run, Span) {
  return std::make_unique<Perturbation>(fields, run);
}

}  // namespace lbann::runtime
