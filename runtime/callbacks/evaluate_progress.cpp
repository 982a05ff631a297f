// Asks for evaluations within epochs, and logs what they give.
#include <fmt/format.h>

#include "runtime/callbacks/factories.hpp"
#include "schemas/callbacks/references.hpp"

namespace lbann::runtime {

namespace {

class EvaluateProgress final : public Callback {
 public:
  EvaluateProgress(callbacks::evaluate_progress fields, CallbackContext const& run)
      : fields_(std::move(fields)), run_(run) {}

  // All ranks evaluate together.
  bool on_every_rank() const override { return true; }
  bool wants_evaluation(std::int64_t steps) const override {
    return steps % fields_.batch_interval == 0;
  }

  Result<Success> evaluated(PhaseResult const& phase, std::int64_t steps) override {
    if (!run_.is_root() || !wants_evaluation(steps)) return Success{};
    auto const line = [&](std::string_view name, double value, std::string_view unit) {
      if (fields_.metric.empty() || fields_.metric == name)
        run_.log.line(fmt::format("{} after step {} {} : {:g}{}", line_start(run_, phase), steps,
                                  name == callbacks::objective_word ? "objective function" : name,
                                  value, unit));
    };
    line(callbacks::objective_word, phase.objective, "");
    for (std::size_t i = 0; i < phase.metrics.size(); ++i)
      if (!run_.plan.metrics[i].external)
        line(run_.plan.metrics[i].name, phase.metrics[i], run_.plan.metrics[i].unit);
    return Success{};
  }

 private:
  callbacks::evaluate_progress fields_;
  CallbackContext const& run_;
};

}  // namespace

std::unique_ptr<Callback> callback_of(callbacks::evaluate_progress const& fields,
                                      CallbackContext const& run, Span) {
  return std::make_unique<EvaluateProgress>(fields, run);
}

}  // namespace lbann::runtime
