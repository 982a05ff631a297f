// The layer `split`: its input once for each child, nothing moves.
#include "compiler/layers/plumbing/split.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> split::output_dims(LayerContext const& context) const {
  return std::vector<Dims>(context.children, context.inputs[0]);
}

void split::lower(LoweringContext& lowering) const {
  for (std::size_t i = 0; i < lowering.output_count(); ++i) lowering.output(i, lowering.input(0));
}

}  // namespace lbann::compiler::layers
