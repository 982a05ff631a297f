// The layer `argmin`: the largest of the negatives.
#include "compiler/layers/indices/argmin.hpp"

#include "compiler/layers/expressions.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> argmin::output_dims(LayerContext const&) const {
  return std::vector<Dims>{Dims{1}};
}

void argmin::lower(LoweringContext& lowering) const {
  auto const negative = lowering.map(expression_of(Function::negative, 1), {lowering.input(0)});
  auto const index = lowering.emit(operators::argmax{}, {negative})[0];
  lowering.output(0, lowering.map(operand_itself(), {index}));
}

}  // namespace lbann::compiler::layers
