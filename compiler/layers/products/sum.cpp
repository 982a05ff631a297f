// The layer `sum`: maps of up to sixteen inputs.
#include "compiler/layers/products/sum.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> sum::output_dims(LayerContext const& context) const {
  return same_as_inputs(context);
}

void sum::lower(LoweringContext& lowering) const {
  lowering.output(0, joined_inputs(lowering, Function::add));
}

}  // namespace lbann::compiler::layers
