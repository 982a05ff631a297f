// The layer `dropout`: a random mask in training.
#include "compiler/layers/normalisation/dropout.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> dropout::output_dims(LayerContext const& context) const {
  if (keep_prob == 0)
    context.report(diagnostics::keeps_nothing, "keep_prob", {std::string(context.name)});
  return same_as_input(context);
}

void dropout::lower(LoweringContext& lowering) const {
  if (!lowering.training() || keep_prob < 0 || keep_prob == 1)
    return lowering.output(0, lowering.input(0));
  auto const varied = lowering.hyperparameter("keep_prob");
  operators::random mask;
  if (varied.valid()) {
    mask.distribution = operators::Distribution::uniform;
    mask.first = 0;
    mask.second = 1;
    mask.type = lowering.type();
  } else {
    mask.distribution = operators::Distribution::bernoulli;
    mask.first = keep_prob;
    mask.second = 1;
    mask.type = DataType::u8;  // the backward pass needs it, too: a byte for each entry
  }
  mask.key = lowering.key("mask");
  mask.shape = batched(lowering.input_dims(0));
  auto const drawn = lowering.emit(std::move(mask),
                                   {lowering.seed(), lowering.step(), lowering.first_sample()})[0];
  ExpressionBuilder build;
  if (!varied.valid()) {
    auto const scaled = build.operand(1) * (keep_prob > 0 ? 1 / keep_prob : 1);
    return lowering.output(
        0, lowering.map(build.finish({build.operand(0) * scaled}), {lowering.input(0), drawn}));
  }
  auto const keep = build.operand(2);
  auto const kept = build.apply(Function::less, {build.operand(1), keep});
  auto const scaled = build.apply(Function::select, {kept, 1.0 / keep, build.constant(0)});
  lowering.output(0, lowering.map(build.finish({build.operand(0) * scaled}),
                                  {lowering.input(0), drawn, varied}));
}

}  // namespace lbann::compiler::layers
