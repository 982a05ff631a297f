// A learning rate that falls as a power of the part of training that remains.
#include "compiler/callbacks/poly_learning_rate.hpp"

#include "compiler/callbacks/callback.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::callbacks {

void poly_learning_rate::check(ModelView const& model, Findings& findings) const {
  if (num_epochs == 0 && max_iter == 0 && model.max_epochs == 0)
    findings.add(
        diagnostics::missing_field, {},
        {std::string(name), "`num_epochs` or `max_iter`, since training has no number of epochs"});
}

void poly_learning_rate::lower(compiler::CallbackLowering& lowering) const {
  auto const rates = lowering.learning_rates(lowering.model().trained(weights));
  std::vector<TensorId> begins;
  for (std::size_t i = 0; i < rates.size(); ++i) begins.push_back(lowering.state("first", 0));
  ExpressionBuilder copy;
  auto const same = copy.finish({copy.operand(0)});
  lowering.at({Moment::training_begin});
  for (std::size_t i = 0; i < rates.size(); ++i) lowering.assign(begins[i], same, {rates[i]});

  auto const epochs =
      static_cast<double>(num_epochs > 0 ? num_epochs : lowering.model().max_epochs);
  ExpressionBuilder build;
  auto const first = build.operand(0), done = build.operand(1);
  auto const length =
      max_iter > 0 ? build.constant(static_cast<double>(max_iter)) : build.operand(2) * epochs;
  auto const left = (length - done) / length;
  auto const rate =
      (first - end_lr) * build.apply(Function::pow, {left, build.constant(power)}) + end_lr;
  auto const rule = build.finish(
      {build.apply(Function::select, {build.apply(Function::less_equal, {length, done}),
                                      build.constant(end_lr), rate})});
  // At the end of an epoch, too: validation and log see the rate of the next step.
  for (auto const moment : {Moment::step_begin, Moment::epoch_end}) {
    lowering.at({moment});
    for (std::size_t i = 0; i < rates.size(); ++i)
      lowering.assign(
          rates[i], rule,
          {begins[i], lowering.step(), max_iter > 0 ? TensorId() : lowering.steps_per_epoch()});
  }
}

}  // namespace lbann::callbacks
