// Logs changes by the plan's schedules between epochs.
#include "runtime/callbacks/schedule_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "runtime/callbacks/learning_rates.hpp"
#include "runtime/callbacks/state_text.hpp"

namespace lbann::runtime {

namespace {

struct Rate {
  LearningRate rate;
  double logged = 0;
};

/// Tensors that entry points with a timing write.
std::set<TensorId> scheduled(Program const& program) {
  std::set<TensorId> written;
  for (auto const& entry : program.entry_points)
    if (entry.timing)
      for (auto const& instruction : entry.instructions)
        written.insert(instruction.outputs.begin(), instruction.outputs.end());
  return written;
}

class ScheduleLog final : public Callback {
 public:
  explicit ScheduleLog(CallbackContext const& run) : run_(run) {
    auto const written = scheduled(run.plan.program);
    auto const all = learning_rates(run);
    for (auto const& rate : all)
      if (written.contains(rate.tensor)) rates_.push_back({rate});
    all_scheduled_ = all.size() == rates_.size();
  }

  bool empty() const { return rates_.empty() && run_.plan.training.mini_batches.empty(); }

  Result<Success> epoch_begin(std::int64_t epoch) override {
    if (epoch == 0)
      for (auto& one : rates_) one.logged = *one.rate.value;
    return Success{};
  }

  Result<Success> phase_end(PhaseResult const& phase) override {
    if (phase.mode != ExecutionMode::training || !phase.complete) return Success{};
    log_mini_batch(phase.epoch + 1);
    log_rates(phase.epoch + 1);
    return Success{};
  }

  std::string state() const override {
    StateText text;
    for (auto const& one : rates_) text << one.logged;
    return text.text();
  }
  Result<Success> restore(std::span<std::string const> states) override {
    StateReader read(states.front());
    for (auto& one : rates_) one.logged = read.real().value_or(*one.rate.value);
    return Success{};
  }

 private:
  void log_mini_batch(std::int64_t epochs) {
    auto const& changes = run_.plan.training.mini_batches;
    auto const found = std::ranges::find(changes, epochs, &MiniBatchChange::epoch);
    if (found != changes.end())
      run_.log.line(fmt::format("Model {}: changing mini-batch size to {} at epoch {}",
                                run_.trainer, found->mini_batch, epochs));
  }

  void log_rates(std::int64_t epochs) {
    bool const one = all_scheduled_ && std::ranges::all_of(rates_, [&](Rate const& one) {
                       return *one.rate.value == *rates_.front().rate.value;
                     });
    bool any = false;
    for (auto& [rate, logged] : rates_) {
      if (*rate.value == logged) continue;
      logged = *rate.value;
      if (one && any) continue;
      any = true;
      std::string const whose =
          one ? "global learning rate"
              : "learning rate of `" + std::string(rate.weights.front()) + "`" +
                    (rate.weights.size() == 1
                         ? std::string()
                         : fmt::format(" and {} more", rate.weights.size() - 1));
      run_.log.line(fmt::format("Model {}: changing {} to {:g} at epoch {}", run_.trainer, whose,
                                *rate.value, epochs));
    }
  }

  CallbackContext const& run_;
  std::vector<Rate> rates_;
  bool all_scheduled_ = false;  ///< there are no other learning rates
};

}  // namespace

std::unique_ptr<Callback> schedule_log(CallbackContext const& run) {
  auto log = std::make_unique<ScheduleLog>(run);
  if (log->empty()) return nullptr;
  return log;
}

}  // namespace lbann::runtime
