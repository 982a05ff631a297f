// The layer `argmax`: one operator.
#include "compiler/layers/indices/argmax.hpp"

#include "compiler/layers/expressions.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> argmax::output_dims(LayerContext const&) const {
  return std::vector<Dims>{Dims{1}};
}

void argmax::lower(LoweringContext& lowering) const {
  auto const index = lowering.emit(operators::argmax{}, {lowering.input(0)})[0];
  lowering.output(0, lowering.map(operand_itself(), {index}));
}

}  // namespace lbann::compiler::layers
