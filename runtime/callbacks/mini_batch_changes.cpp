// Learning rates that follow the mini-batch size. The size itself is the data's, by epoch.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/callbacks/learning_rate_schedule.hpp"

namespace lbann::runtime {

namespace {

class MiniBatchChanges final : public Schedule {
 public:
  explicit MiniBatchChanges(RunView const& run) : Schedule({}, run) {}

  bool observes_steps() const override { return false; }

 private:
  void epoch_end(PhaseResult const&) override {
    auto const& changes = run_.plan.training.mini_batches;
    auto const found = std::ranges::find(changes, time_.epochs, &MiniBatchChange::epoch);
    if (found != changes.end()) begin(*found);
    if (ramp_left_ == 0) return;
    --ramp_left_;
    auto increment = increments_.begin();
    rates_.change([&](double now, double) { return now + *increment++; });
  }

  void begin(MiniBatchChange const& change) {
    run_.log.line(fmt::format("Model {}: changing mini-batch size to {} at epoch {}", run_.trainer,
                              change.mini_batch, change.epoch));
    bool const at_once = change.ramp_time == 0;
    increments_.clear();
    ramp_left_ = change.ramp_time;
    rates_.change([&](double now, double) {
      auto const wanted = change.rate > 0 ? change.rate : now * change.rate_factor;
      if (at_once) return wanted;
      increments_.push_back((wanted - now) / static_cast<double>(change.ramp_time));
      return now;
    });
  }

  std::int64_t ramp_left_ = 0;      ///< epochs
  std::vector<double> increments_;  ///< of each learning rate
};

}  // namespace

std::unique_ptr<Observer> observer_of_mini_batches(RunView const& run) {
  return std::make_unique<MiniBatchChanges>(run);
}

}  // namespace lbann::runtime
