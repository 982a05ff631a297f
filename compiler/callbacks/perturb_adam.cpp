// Numbers of Adam changed at random.
#include "compiler/callbacks/perturb_adam.hpp"

#include "compiler/callbacks/callback.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::callbacks {

std::vector<WeightsId> perturb_adam::chosen(ModelView const& model) const {
  auto all = model.trained(weights);
  std::erase_if(all, [&](WeightsId id) { return model[id].optimizer != "adam"; });
  return all;
}

std::vector<std::vector<WeightsId>> perturb_adam::groups(ModelView const& model) const {
  std::vector<std::vector<WeightsId>> each;
  for (auto const id : chosen(model)) each.push_back({id});
  return each;
}

void perturb_adam::check(ModelView const& model, Findings& findings) const {
  if (weights.empty() && chosen(model).empty())
    findings.add(diagnostics::no_effect, "",
                 {std::string(name), "no weights are trained by `adam`"});
  for (auto const& weight : weights) {
    auto const id = model.find_weights(weight);
    if (!id.valid() || model[id].optimizer.empty() || model[id].optimizer == "adam") continue;
    findings.add(diagnostics::no_effect, "weights",
                 {weight, "`" + std::string(model[id].optimizer) + "` trains it, not `adam`"});
  }
}

std::vector<Hyperparameter> perturb_adam::varies(ModelView const& model) const {
  std::vector<Hyperparameter> all;
  for (auto const id : chosen(model)) {
    auto const add = [&](std::string_view field, double factor) {
      if (auto const value = number_of(model[id].numbers, field); value && factor != 0)
        all.push_back({Hyperparameter::Of::weights, id.index(), field, *value});
    };
    add("beta1", beta1_factor);
    add("beta2", beta2_factor);
    add("eps", eps_factor);
  }
  return all;
}

void perturb_adam::lower(compiler::CallbackLowering& lowering) const {
  auto const& model = lowering.model();
  if (chosen(model).empty()) return;
  /// Multiplies `number`, or with `of_rest` 1 - number, by exp(factor z).
  auto const scale = [&](TensorId number, double factor, bool of_rest, std::string const& purpose) {
    auto const normal = lowering.random(operators::Distribution::normal, number, purpose);
    ExpressionBuilder build;
    auto const now = build.operand(0);
    auto const by = build.apply(Function::exp, {build.constant(factor) * build.operand(1)});
    auto const changed =
        of_rest ? build.apply(Function::maximum, {1.0 - (1.0 - now) * by, build.constant(0)})
                : now * by;
    lowering.assign(number, build.finish({changed}), {number, normal});
  };
  auto const perturb = [&](Timing const& timing) {
    lowering.at(timing);
    if (learning_rate_factor != 0)
      for (auto const id : chosen(model))
        scale(lowering.learning_rate(id), learning_rate_factor, false,
              std::string(model[id].name) + "/learn_rate");
    for (auto const& parameter : varies(model)) {
      bool const is_eps = parameter.field == "eps";
      auto const factor = is_eps                       ? eps_factor
                          : parameter.field == "beta1" ? beta1_factor
                                                       : beta2_factor;
      scale(lowering.hyperparameter(parameter), factor, !is_eps,
            std::string(model.weights[parameter.owner].name) + "/" + std::string(parameter.field));
    }
  };
  perturb({Moment::training_begin});
  if (perturb_during_training) perturb({Moment::step_begin, batch_interval, batch_interval});
}

}  // namespace lbann::callbacks
