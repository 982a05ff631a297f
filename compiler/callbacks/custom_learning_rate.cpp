// A learning rate that is an expression of steps and epochs.
#include "compiler/callbacks/custom_learning_rate.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "compiler/callbacks/callback.hpp"
#include "compiler/callbacks/rate_expression.hpp"
#include "compiler/declarations/value_text.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::callbacks {

namespace {

/// The rate of step 0 where training begins with the rate `first`.
double rate_at_begin(Expression const& rate, double first) {
  ExpressionBuilder build;
  // The number of steps of an epoch is not known; 0 epochs have passed, however many they are.
  auto const value =
      build.inlined(rate, {build.constant(0), build.constant(1), build.constant(first)});
  return build.finish(value).nodes.back().constant;
}

/// The rate that the optimizer of these weights declares.
std::optional<double> declared_rate(ModelView::Weights const& weights) {
  for (auto const* field : {"learn_rate", "init_learning_rate"})
    if (auto const rate = number_of(weights.numbers, field)) return rate;
  return std::nullopt;
}

}  // namespace

void custom_learning_rate::check(compiler::CallbackCheck const& check) const {
  auto const& model = check.model;
  auto const rate = rate_expression(expression, model.max_epochs);
  if (auto const* problem = std::get_if<std::string>(&rate)) {
    check.add(diagnostics::rate_expression, "expression", {*problem, expression});
    return;
  }
  for (auto const id : model.trained(weights)) {
    auto const first = declared_rate(model[id]);
    if (!first) continue;
    auto const value = rate_at_begin(std::get<Expression>(rate), *first);
    if (std::isfinite(value) && value >= 0) continue;
    check.add(diagnostics::rate_expression, "expression",
              {"the learning rate of step 0 is " + compiler::real_text(value), expression});
    return;
  }
}

void custom_learning_rate::lower(compiler::CallbackLowering& lowering) const {
  auto const parsed = rate_expression(expression, lowering.model().max_epochs);
  auto const& rate = std::get<Expression>(parsed);  // checked
  auto const used = used_operands(rate);
  auto const is = [](std::size_t operand, RateOperand which) {
    return operand == static_cast<std::size_t>(which);
  };
  std::vector<std::size_t> numbers(rate_operands);
  for (std::size_t i = 0; i < used.size(); ++i) numbers[used[i]] = i;
  auto const rule = renumbered(rate, numbers);

  auto const rates = lowering.learning_rates(lowering.model().trained(weights));
  std::vector<TensorId> firsts(rates.size());
  if (!used.empty() && is(used.back(), RateOperand::first)) {
    for (auto& first : firsts) first = lowering.state("first", 0);
    ExpressionBuilder copy;
    auto const same = copy.finish({copy.operand(0)});
    lowering.at({Moment::training_begin});
    for (std::size_t i = 0; i < rates.size(); ++i) lowering.assign(firsts[i], same, {rates[i]});
  }
  // At the end of an epoch, too: validation and log see the rate of the next step.
  for (auto const moment : {Moment::step_begin, Moment::epoch_end}) {
    lowering.at({moment});
    for (std::size_t i = 0; i < rates.size(); ++i) {
      std::vector<TensorId> inputs;
      for (auto const operand : used)
        inputs.push_back(is(operand, RateOperand::step)    ? lowering.step()
                         : is(operand, RateOperand::first) ? firsts[i]
                                                           : lowering.steps_per_epoch());
      lowering.assign(rates[i], rule, std::move(inputs));
    }
  }
}

}  // namespace lbann::callbacks
