// The layer `identity_zero`: its input, or a map of nothing.
#include "compiler/layers/plumbing/identity_zero.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> identity_zero::output_dims(LayerContext const& context) const {
  return same_as_input(context);
}

void identity_zero::lower(LoweringContext& lowering) const {
  lowering.output(
      0, lowering.frozen() ? filled(lowering, 0, lowering.output_dims(0)) : lowering.input(0));
}

}  // namespace lbann::compiler::layers
