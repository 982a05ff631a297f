// The layer `categorical_accuracy`: two places of maxima compared.
#include "compiler/layers/losses/categorical_accuracy.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> categorical_accuracy::output_dims(
    LayerContext const& context) const {
  return one_number(context);
}

void categorical_accuracy::lower(LoweringContext& lowering) const {
  auto const predicted = lowering.emit(operators::argmax{}, {lowering.input(0)})[0];
  auto const truth = lowering.emit(operators::argmax{}, {lowering.input(1)})[0];
  lowering.output(0, lowering.map(expression_of(Function::equal, 2), {predicted, truth}));
}

}  // namespace lbann::compiler::layers
