// The layer `mini_batch_size`: an input of the program, the same for each sample.
#include "compiler/layers/plumbing/mini_batch_size.hpp"

#include "compiler/layers/expressions.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> mini_batch_size::output_dims(LayerContext const&) const {
  return std::vector<Dims>{Dims{1}};
}

void mini_batch_size::lower(LoweringContext& lowering) const {
  lowering.output(0, lowering.map(operand_itself(), {lowering.mini_batch()}, batched(Dims{1})));
}

}  // namespace lbann::compiler::layers
