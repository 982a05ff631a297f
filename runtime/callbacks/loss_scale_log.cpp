// Logs steps of mixed precision that changed no weights.
#include "runtime/callbacks/loss_scale_log.hpp"

#include <fmt/format.h>

#include "runtime/callbacks/state_text.hpp"

namespace lbann::runtime {

namespace {

class LossScaleLog final : public Callback {
 public:
  LossScaleLog(CallbackContext const& run, double const* scale, double const* skipped)
      : run_(run), scale_(scale), skipped_(skipped) {}

  Result<Success> phase_end(PhaseResult const& phase) override {
    if (phase.mode != ExecutionMode::training) return Success{};
    auto const skipped = static_cast<std::int64_t>(*skipped_ - logged_);
    logged_ = *skipped_;
    if (skipped == 0) return Success{};
    auto const steps = static_cast<std::int64_t>(phase.step_seconds.size());
    auto const text = fmt::format(
        "gradients of {} of {} steps of epoch {} were not finite in fp16, and no weights changed "
        "in these; the loss scale is {:g} now",
        skipped, steps, phase.epoch, *scale_);
    // Then gradients overflow for another reason than the scale.
    if (*scale_ < 1)
      run_.log.line("warning: " + text +
                    "; a layer whose outputs exceed 65504 needs `datatype: float`");
    else
      run_.log.line(fmt::format("Model {}: {}", run_.trainer, text));
    return Success{};
  }

  std::string state() const override { return (StateText() << logged_).text(); }
  Result<Success> restore(std::span<std::string const> states) override {
    logged_ = StateReader(states.front()).real().value_or(*skipped_);
    return Success{};
  }

 private:
  CallbackContext const& run_;
  double const *scale_, *skipped_;
  double logged_ = 0;  ///< steps that were skipped before the epoch
};

}  // namespace

std::unique_ptr<Callback> loss_scale_log(CallbackContext const& run) {
  auto const* const scale = run.executor.scalar_or_null<double>(run.plan.loss_scale);
  auto const* const skipped = run.executor.scalar_or_null<double>(run.plan.skipped_steps);
  if (scale == nullptr || skipped == nullptr) return nullptr;
  return std::make_unique<LossScaleLog>(run, scale, skipped);
}

}  // namespace lbann::runtime
