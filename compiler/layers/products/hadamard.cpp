// The layer `hadamard`: maps of up to sixteen inputs.
#include "compiler/layers/products/hadamard.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> hadamard::output_dims(LayerContext const& context) const {
  return same_as_inputs(context);
}

void hadamard::lower(LoweringContext& lowering) const {
  lowering.output(0, joined_inputs(lowering, Function::multiply));
}

}  // namespace lbann::compiler::layers
