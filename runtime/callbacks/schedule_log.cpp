// Logs changes by the plan's schedules between epochs.
#include "runtime/callbacks/schedule_log.hpp"

#include "runtime/callbacks/state_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lbann::runtime {

namespace {

/// A learning rate and the weights that share it.
struct Rate {
  double const* value;
  std::vector<std::string_view> weights;
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
    std::set<TensorId> all;
    for (auto const& weights : run.plan.weights) {
      auto const id = weights.learning_rate;
      if (!id.valid()) continue;
      auto* const value = run.executor.scalar_or_null<double>(id);
      if (value == nullptr) continue;
      all.insert(id);
      if (!written.contains(id)) continue;
      auto found = std::ranges::find(rates_, value, &Rate::value);
      if (found == rates_.end()) found = rates_.insert(found, Rate{value, {}});
      found->weights.push_back(weights.name);
    }
    all_scheduled_ = all.size() == rates_.size();
  }

  bool empty() const { return rates_.empty() && run_.plan.training.mini_batches.empty(); }

  Result<Success> epoch_begin(std::int64_t epoch) override {
    if (epoch == 0)
      for (auto& rate : rates_) rate.logged = *rate.value;
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
    for (auto const& rate : rates_) text << rate.logged;
    return text.text();
  }
  Result<Success> restore(std::span<std::string const> states) override {
    StateReader read(states.front());
    for (auto& rate : rates_) rate.logged = read.real().value_or(*rate.value);
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
    bool const one = all_scheduled_ && std::ranges::all_of(rates_, [&](Rate const& rate) {
                       return *rate.value == *rates_.front().value;
                     });
    bool any = false;
    for (auto& rate : rates_) {
      if (*rate.value == rate.logged) continue;
      rate.logged = *rate.value;
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
