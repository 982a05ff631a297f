// The layer `uniform_hash`: one operator.
#include "compiler/layers/indices/uniform_hash.hpp"

#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> uniform_hash::output_dims(LayerContext const& context) const {
  return same_as_input(context);
}

void uniform_hash::lower(LoweringContext& lowering) const {
  lowering.output(0, lowering.emit(operators::uniform_hash{}, {lowering.input(0)})[0]);
}

}  // namespace lbann::compiler::layers
