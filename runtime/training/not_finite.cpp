// What a run says whose numbers are not finite: where, why as far as it can be found, advice.
#include <algorithm>
#include <cmath>

#include "runtime/communication/agreement.hpp"
#include "runtime/observation/finite_check.hpp"
#include "runtime/training/sgd.hpp"
#include "schemas/plan/location.hpp"

namespace lbann::runtime {

std::optional<Problem> Sgd::input_not_finite() const {
  auto const found_in = [&](ExecutionMode mode) {
    auto const& phase = phases_[static_cast<std::size_t>(mode)];
    return phase ? phase->find_not_finite() : std::nullopt;
  };
  auto found = found_in(iteration_.mode);
  // The last mini-batches of training may have made the weights of an evaluation NaN.
  if (!found && iteration_.mode != ExecutionMode::training)
    found = found_in(ExecutionMode::training);
  return found ? std::optional(Problem{*found}) : std::nullopt;
}

Result<Success> Sgd::end_not_finite(double objective) {
  diverged_ = true;
  auto const& plan = run_.plan;
  auto const& measure = plan.objective;
  auto const tensor = measure.step_value.valid() ? measure.step_value : measure.evaluate_sum;
  auto const what = located(plan.sources, plan.program[tensor].origin.span,
                            std::string("objective function is ") +
                                (std::isnan(objective) ? "nan " : "inf ") + step_text());
  // A rank that knows the cause reports it, even if it is not the root.
  auto cause = step_problem_;
  if (!cause) {
    cause = input_not_finite();
    if (cause) {
      cause->message = what + ", as its data is not finite\n" + cause->message;
    } else if (first_step_) {
      cause = std::isnan(objective) ? first_step_->nan() : first_step_->problem();
      if (cause) cause->message = what + "\n" + cause->message;
    }
  }
  std::int64_t causes = cause ? 1 : 0;
  if (executor_.ranks() > 1) options_.trainer->all_reduce(&causes, 1, DataType::i64);
  if (causes == 0) return agree(Problem{what + not_finite_advice()});
  return agree(cause ? Result<Success>(*cause) : Success{});
}

std::string Sgd::not_finite_advice() const {
  auto const& plan = run_.plan;
  std::string lines;
  for (auto const& weights : plan.weights) {
    auto const view = executor_.read(weights.tensor, 0);
    auto const count = view.data == nullptr ? 0 : view.elements();
    auto const broken = [&](auto const* data) {
      return std::any_of(data, data + count, [](auto value) { return !std::isfinite(value); });
    };
    bool const any = (view.type == DataType::f32 && broken(view.as<float>())) ||
                     (view.type == DataType::f64 && broken(view.as<double>()));
    if (any) {
      lines += '\n' + located(plan.sources, weights.span,
                              "weights `" + weights.name + "` are not finite any more");
    }
  }
  // The first step's objective is that of the initial weights.
  auto const updates = progress_.steps - (iteration_.mode == ExecutionMode::training ? 1 : 0);
  return std::string(updates > 0 ? "; a lower learning rate often helps" : "") +
         "; --check-finite names the first layer with an output that is not finite" + lines;
}

}  // namespace lbann::runtime
