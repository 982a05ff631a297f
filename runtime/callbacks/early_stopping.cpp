// Ends training when the validation objective stops falling; may go back to its best weights.
#include <fmt/format.h>

#include <limits>

#include "runtime/callbacks/factories.hpp"
#include "runtime/callbacks/state_text.hpp"
#include "runtime/checkpoints/weights_copy.hpp"

namespace lbann::runtime {

namespace {

class EarlyStopping final : public Controller {
 public:
  EarlyStopping(callbacks::early_stopping const& fields, CallbackContext const& run)
      : patience_(fields.patience), restores_best_(fields.restore_best), run_(run) {}

  // Every rank has weights to go back to; the objective is the same on all.
  bool on_every_rank() const override { return restores_best_; }
  bool wants_stop() const override { return waited_ >= patience_; }

  Result<Success> phase_end(PhaseResult const& phase) override {
    if (phase.mode != ExecutionMode::validation) return Success{};
    if (phase.objective < lowest_) {
      run_.log.line(fmt::format("Model {} early stopping: score is improving {:g} >> {:g}",
                                run_.trainer, lowest_, phase.objective));
      lowest_ = phase.objective;
      lowest_epoch_ = phase.epoch;
      waited_ = 0;
      if (restores_best_) best_weights_.take(run_.executor, run_.plan);
      return Success{};
    }
    if (++waited_ == patience_)
      run_.log.line(
          fmt::format("Model {} terminating training due to early stopping: {:g} score and {:g} "
                      "last score",
                      run_.trainer, phase.objective, lowest_));
    return Success{};
  }

  Result<Success> finish_training(Executor& executor, bool signalled) override {
    if (!restores_best_ || signalled) return Success{};
    if (!best_weights_.taken()) {
      run_.log.line(fmt::format(
          "warning: Model {} early stopping: no validation gave a number, the weights stay",
          run_.trainer));
      return Success{};
    }
    best_weights_.put_back(executor, run_.plan);
    run_.log.line(fmt::format(
        "Model {} early stopping: weights are those of the best validation: {:g} after epoch {}",
        run_.trainer, lowest_, lowest_epoch_));
    return Success{};
  }

  std::string state() const override {
    return (StateText() << lowest_ << waited_ << lowest_epoch_
                        << std::int64_t{best_weights_.taken()})
        .text();
  }
  Result<Success> restore(std::span<std::string const> states) override {
    StateReader read(states.front());
    lowest_ = read.real().value_or(lowest_);
    waited_ = read.integer().value_or(waited_);
    lowest_epoch_ = read.integer().value_or(lowest_epoch_);
    best_weights_.set_taken(read.integer().value_or(0) != 0);
    return Success{};
  }
  std::vector<StateArray> state_arrays() override {
    return restores_best_ ? best_weights_.arrays(run_.executor, run_.plan)
                          : std::vector<StateArray>();
  }

 private:
  std::int64_t patience_;
  bool restores_best_;
  CallbackContext const& run_;
  double lowest_ = std::numeric_limits<double>::infinity();
  std::int64_t lowest_epoch_ = 0;
  std::int64_t waited_ = 0;  ///< validations in a row without a lower objective
  WeightsCopy best_weights_;
};

}  // namespace

std::unique_ptr<Controller> callback_of(callbacks::early_stopping const& fields,
                                        CallbackContext const& run, Span) {
  return std::make_unique<EarlyStopping>(fields, run);
}

}  // namespace lbann::runtime
