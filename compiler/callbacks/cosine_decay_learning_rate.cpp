// A learning rate that falls along half a cosine.
#include "compiler/callbacks/cosine_decay_learning_rate.hpp"

#include <numbers>

#include "compiler/callbacks/callback.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::callbacks {

void cosine_decay_learning_rate::lower(compiler::CallbackLowering& lowering) const {
  ExpressionBuilder build;
  auto const number = [&](std::int64_t count) {
    return build.constant(static_cast<double>(count));
  };
  auto const done = build.operand(0);
  auto const step = done - number(warmup_steps);
  auto const part = step / number(decay_steps);
  auto const cosine = build.apply(Function::cos, {build.constant(std::numbers::pi) * part});
  auto const falling = build.constant((lr_max - lr_min) * 0.5) * (1.0 + cosine) + lr_min;
  auto rate = build.apply(
      Function::select,
      {build.apply(Function::less, {step, number(decay_steps)}), falling, build.constant(lr_min)});
  if (warmup_steps > 0) {
    auto const begin = initial_warmup_learning_rate;
    auto const growing =
        build.constant(lr_max - begin) * done / number(warmup_steps) + build.constant(begin);
    rate = build.apply(Function::select,
                       {build.apply(Function::less, {done, number(warmup_steps)}), growing, rate});
  }
  auto const rule = build.finish({rate});
  auto const rates = lowering.learning_rates(lowering.model().trained(weights));
  // At the end of an epoch, too: validation and log see the rate of the next step.
  for (auto const moment : {Moment::step_begin, Moment::epoch_end}) {
    lowering.at({moment});
    for (auto const each : rates) lowering.assign(each, rule, {lowering.step()});
  }
}

}  // namespace lbann::callbacks
