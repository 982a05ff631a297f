// The layer `selu_dropout`: a random mask and a map in training.
#include "compiler/layers/normalisation/selu_dropout.hpp"

#include <cmath>

#include "compiler/layers/shape_rules.hpp"
#include "schemas/expression/builder.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> selu_dropout::output_dims(LayerContext const& context) const {
  return same_as_input(context);
}

void selu_dropout::lower(LoweringContext& lowering) const {
  if (!lowering.training() || keep_prob == 1) return lowering.output(0, lowering.input(0));
  operators::random mask;
  mask.distribution = operators::Distribution::bernoulli;
  mask.first = keep_prob;
  mask.second = 1;
  mask.key = lowering.key("mask");
  mask.shape = batched(lowering.input_dims(0));
  mask.type = DataType::u8;
  auto const drawn = lowering.emit(std::move(mask),
                                   {lowering.seed(), lowering.step(), lowering.first_sample()})[0];
  auto const dropped = -scale * alpha;
  auto const a = 1 / std::sqrt(keep_prob + dropped * dropped * keep_prob * (1 - keep_prob));
  auto const b = -a * dropped * (1 - keep_prob);
  ExpressionBuilder build;
  auto const x = build.operand(0), m = build.operand(1);
  lowering.output(0, lowering.map(build.finish({(x * m + (1.0 - m) * dropped) * a + b}),
                                  {lowering.input(0), drawn}));
}

}  // namespace lbann::compiler::layers
