// Keep probabilities changed at random.
#include "compiler/callbacks/perturb_dropout.hpp"

#include <algorithm>

#include "compiler/callbacks/callback.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::callbacks {

namespace {

constexpr std::string_view keep_prob = "keep_prob";

}  // namespace

/// Of the dropout layers that drop something.
std::vector<Hyperparameter> perturb_dropout::varies(ModelView const& model) const {
  std::vector<Hyperparameter> all;
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    auto const& layer = model.layers[i];
    if (layer.type != "dropout") continue;
    if (!layers.empty() && std::ranges::find(layers, layer.name) == layers.end()) continue;
    auto const value = number_of(layer.numbers, keep_prob);
    if (value && *value > 0 && *value < 1)
      all.push_back({Hyperparameter::Of::layer, i, keep_prob, *value});
  }
  return all;
}

void perturb_dropout::check(ModelView const& model, Findings& findings) const {
  if (layers.empty() && varies(model).empty())
    findings.add(diagnostics::no_effect, "",
                 {std::string(name), "there is no `dropout` layer that drops anything"});
  for (auto const& layer : layers) {
    auto const* found = model.find_layer(layer);
    if (found != nullptr && found->type != "dropout")
      findings.add(diagnostics::no_effect, "layers",
                   {layer, "it is of type `" + std::string(found->type) + "`, not `dropout`"});
  }
}

void perturb_dropout::lower(compiler::CallbackLowering& lowering) const {
  auto const varied = varies(lowering.model());
  if (varied.empty()) return;
  lowering.at({Moment::training_begin});
  for (auto const& parameter : varied) {
    auto const keep = lowering.hyperparameter(parameter);
    auto const normal = lowering.random(operators::Distribution::normal, keep,
                                        lowering.model().layers[parameter.owner].name);
    ExpressionBuilder build;
    auto const factor =
        build.apply(Function::exp, {build.constant(keep_dropout_factor) * build.operand(1)});
    auto const changed = 1.0 - (1.0 - build.operand(0)) * factor;
    auto const bounded = build.apply(
        Function::minimum,
        {build.apply(Function::maximum, {changed, build.constant(0.5)}), build.constant(1)});
    lowering.assign(keep, build.finish({bounded}), {keep, normal});
  }
}

}  // namespace lbann::callbacks
