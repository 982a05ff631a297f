// Checks that a metric lies within bounds when a phase ends.
#include <fmt/format.h>

#include "runtime/callbacks/factories.hpp"
#include "runtime/callbacks/measured_value.hpp"
#include "schemas/callbacks/execution_modes.hpp"
#include "schemas/plan/location.hpp"

namespace lbann::runtime {

namespace {

class CheckMetric final : public Callback {
 public:
  CheckMetric(callbacks::check_metric fields, CallbackContext const& run, Span span)
      : fields_(std::move(fields)), run_(run), span_(span) {}

  // All ranks have the same value of the metric and fail together.
  bool on_every_rank() const override { return true; }
  bool failed_check() const override { return failed_; }

  Result<Success> phase_end(PhaseResult const& phase) override {
    if (!callbacks::acts_in(fields_.execution_modes, phase.mode)) return Success{};
    if (auto const metric = find_metric(run_.plan, fields_.metric))
      return check(phase, phase.metrics[*metric]);
    return Problem{
        located(run_.plan.sources, span_, "there is no metric `" + fields_.metric + '`')};
  }

 private:
  Result<Success> check(PhaseResult const& phase, double value) {
    if (value >= fields_.lower_bound && value <= fields_.upper_bound) return Success{};
    auto const message = located(
        run_.plan.sources, span_,
        fmt::format("{}: metric `{}` is {}, which is not from {} to {}", line_start(run_, phase),
                    fields_.metric, value, fields_.lower_bound, fields_.upper_bound));
    if (!fields_.error_on_failure) {
      run_.log.line("warning: " + message);
      return Success{};
    }
    failed_ = true;
    return Problem{message};
  }

  callbacks::check_metric fields_;
  CallbackContext const& run_;
  Span span_;
  bool failed_ = false;
};

}  // namespace

std::unique_ptr<Callback> callback_of(callbacks::check_metric const& fields,
                                      CallbackContext const& run, Span span) {
  return std::make_unique<CheckMetric>(fields, run, span);
}

}  // namespace lbann::runtime
