// The layer `top_k_categorical_accuracy`: the truth's place among the predictions.
#include "compiler/layers/losses/top_k_categorical_accuracy.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> top_k_categorical_accuracy::output_dims(
    LayerContext const& context) const {
  return one_number(context);
}

void top_k_categorical_accuracy::lower(LoweringContext& lowering) const {
  auto const truth = lowering.emit(operators::argmax{}, {lowering.input(1)})[0];
  auto const place = lowering.emit(operators::rank{}, {lowering.input(0), truth})[0];
  ExpressionBuilder build;
  auto const among =
      build.apply(Function::less, {build.operand(0), build.constant(static_cast<double>(k))});
  lowering.output(0, lowering.map(build.finish({among}), {place}));
}

}  // namespace lbann::compiler::layers
