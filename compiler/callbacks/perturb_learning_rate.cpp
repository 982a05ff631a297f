// Learning rates multiplied by random factors.
#include "compiler/callbacks/perturb_learning_rate.hpp"

#include "compiler/callbacks/callback.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::callbacks {

std::vector<std::vector<WeightsId>> perturb_learning_rate::groups(ModelView const& model) const {
  std::vector<std::vector<WeightsId>> each;
  for (auto const id : model.trained(weights)) each.push_back({id});
  return each;
}

void perturb_learning_rate::lower(compiler::CallbackLowering& lowering) const {
  auto const perturb = [&](Timing const& timing) {
    lowering.at(timing);
    for (auto const id : lowering.model().trained(weights)) {
      auto const rate = lowering.learning_rate(id);
      auto const normal =
          lowering.random(operators::Distribution::normal, rate, lowering.model()[id].name);
      ExpressionBuilder build;
      auto const factor =
          build.apply(Function::exp, {build.constant(learning_rate_factor) * build.operand(1)});
      lowering.assign(rate, build.finish({build.operand(0) * factor}), {rate, normal});
    }
  };
  perturb({Moment::training_begin});
  if (perturb_during_training) perturb({Moment::step_begin, batch_interval, batch_interval});
}

}  // namespace lbann::callbacks
