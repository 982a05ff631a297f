// Epoch banner, objective and metrics, in the format that scripts parse.
#include <fmt/format.h>

#include "runtime/callbacks/factories.hpp"

namespace lbann::runtime {

namespace {

class Print final : public Callback {
 public:
  Print(callbacks::print const& fields, CallbackContext const& run)
      : interval_(fields.interval), run_(run) {}

  Result<Success> epoch_begin(std::int64_t epoch) override {
    if (epoch % interval_ != 0) return Success{};
    auto const train = run_.sizes.of(ExecutionMode::training, epoch),
               validate = run_.sizes.of(ExecutionMode::validation),
               test = run_.sizes.of(ExecutionMode::testing);
    std::string const dashes(80, '-');
    run_.log.detail(dashes);
    run_.log.detail(
        fmt::format("[{}] Epoch : stats formated [tr/v/te/to] iter/epoch = [{}/{}/{}/{}]", epoch,
                    train.steps(), validate.steps(), test.steps(), 0));
    run_.log.detail(fmt::format(
        "             Global MB = [{:4}/{:4}/{:4}/{:4}]  Global last MB = [{:4}/{:4}/{:4}/{:4}]",
        train.mini_batch, validate.mini_batch, test.mini_batch, 0, train.last_mini_batch(),
        validate.last_mini_batch(), test.last_mini_batch(), 0));
    run_.log.detail(dashes);
    return Success{};
  }

  Result<Success> phase_end(PhaseResult const& phase) override {
    if (phase.mode != ExecutionMode::testing && phase.epoch % interval_ != 0) return Success{};
    auto const start = line_start(run_, phase);
    run_.log.detail(fmt::format("{} objective function : {:g}", start, phase.objective));
    for (std::size_t i = 0; i < phase.metrics.size(); ++i) {
      auto const& metric = run_.plan.metrics[i];
      run_.log.detail(
          fmt::format("{} {} : {:g}{}", start, metric.name, phase.metrics[i], metric.unit));
    }
    return Success{};
  }

 private:
  std::int64_t interval_;
  CallbackContext const& run_;
};

}  // namespace

std::unique_ptr<Callback> callback_of(callbacks::print const& fields, CallbackContext const& run,
                                      Span) {
  return std::make_unique<Print>(fields, run);
}

}  // namespace lbann::runtime
