// Ends training when the validation objective stops falling.
#include <fmt/format.h>

#include <limits>

#include "runtime/callbacks/factories.hpp"

namespace lbann::runtime {

namespace {

class EarlyStopping final : public Controller {
 public:
  EarlyStopping(callbacks::early_stopping const& fields, CallbackContext const& run)
      : patience_(fields.patience), run_(run) {}

  bool wants_stop() const override { return waited_ >= patience_; }

  Result<Success> phase_end(PhaseResult const& phase) override {
    if (phase.mode != ExecutionMode::validation) return Success{};
    if (phase.objective < lowest_) {
      run_.log.line(fmt::format("Model {} early stopping: score is improving {:g} >> {:g}",
                                run_.trainer, lowest_, phase.objective));
      lowest_ = phase.objective;
      waited_ = 0;
      return Success{};
    }
    if (++waited_ == patience_)
      run_.log.line(
          fmt::format("Model {} terminating training due to early stopping: {:g} score and {:g} "
                      "last score",
                      run_.trainer, phase.objective, lowest_));
    return Success{};
  }

 private:
  std::int64_t patience_;
  CallbackContext const& run_;
  double lowest_ = std::numeric_limits<double>::infinity();
  std::int64_t waited_ = 0;  ///< validations in a row without a lower objective
};

}  // namespace

std::unique_ptr<Controller> callback_of(callbacks::early_stopping const& fields,
                                        CallbackContext const& run, Span) {
  return std::make_unique<EarlyStopping>(fields, run);
}

}  // namespace lbann::runtime
