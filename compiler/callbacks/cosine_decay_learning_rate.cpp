// A learning rate that falls along half a cosine.
#include "compiler/callbacks/cosine_decay_learning_rate.hpp"

#include <numbers>

#include "compiler/callbacks/callback.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::callbacks {

void cosine_decay_learning_rate::check(ModelView const& model, Findings& findings) const {
  if (decay_steps > 0 && decay_epochs > 0)
    findings.add(diagnostics::no_effect, "decay_epochs",
                 {"decay_epochs", "`decay_steps` is given"});
  if (warmup_steps > 0 && warmup_epochs > 0)
    findings.add(diagnostics::no_effect, "warmup_epochs",
                 {"warmup_epochs", "`warmup_steps` is given"});
  if (decay_steps == 0 && decay_epochs == 0 && model.max_epochs == 0)
    findings.add(diagnostics::missing_field, {},
                 {std::string(name),
                  "`decay_steps` or `decay_epochs`, since training has no number of epochs"});
}

void cosine_decay_learning_rate::lower(compiler::CallbackLowering& lowering) const {
  ExpressionBuilder build;
  auto const number = [&](std::int64_t count) {
    return build.constant(static_cast<double>(count));
  };
  bool const warms_up = warmup_steps > 0 || warmup_epochs > 0;
  bool const by_epochs = decay_steps == 0 || (warmup_steps == 0 && warmup_epochs > 0);
  auto const done = build.operand(0);
  auto const epochs = [&](double count) { return build.operand(1) * count; };
  auto const warmup =
      warmup_steps == 0 && warmup_epochs > 0 ? epochs(warmup_epochs) : number(warmup_steps);
  auto const whole = static_cast<double>(lowering.model().max_epochs);
  auto const decay = decay_steps > 0    ? number(decay_steps)
                     : decay_epochs > 0 ? epochs(decay_epochs)
                                        : epochs(whole) - warmup;
  auto const step = done - warmup;
  auto const part = step / decay;
  auto const cosine = build.apply(Function::cos, {build.constant(std::numbers::pi) * part});
  auto const falling = build.constant((lr_max - lr_min) * 0.5) * (1.0 + cosine) + lr_min;
  auto rate = build.apply(Function::select, {build.apply(Function::less, {step, decay}), falling,
                                             build.constant(lr_min)});
  if (warms_up) {
    auto const begin = initial_warmup_learning_rate;
    auto const growing = build.constant(lr_max - begin) * done / warmup + build.constant(begin);
    rate =
        build.apply(Function::select, {build.apply(Function::less, {done, warmup}), growing, rate});
  }
  auto const rule = build.finish({rate});
  auto const rates = lowering.learning_rates(lowering.model().trained(weights));
  // At the end of an epoch, too: validation and log see the rate of the next step.
  for (auto const moment : {Moment::step_begin, Moment::epoch_end}) {
    lowering.at({moment});
    for (auto const each : rates)
      lowering.assign(each, rule,
                      {lowering.step(), by_epochs ? lowering.steps_per_epoch() : TensorId()});
  }
}

}  // namespace lbann::callbacks
