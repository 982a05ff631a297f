// The layer `identity`: its input, nothing moves.
#include "compiler/layers/plumbing/identity.hpp"

#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> identity::output_dims(LayerContext const& context) const {
  return same_as_input(context);
}

void identity::lower(LoweringContext& lowering) const { lowering.output(0, lowering.input(0)); }

}  // namespace lbann::compiler::layers
