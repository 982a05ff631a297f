// The layer `add`: one map.
#include "compiler/layers/add.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> add::output_dims(LayerContext const& context) const {
  return same_as_inputs(context);
}

void add::lower(Lowering& lowering) const {
  lowering.output(
      0, lowering.map(expression_of(Function::add, 2), {lowering.input(0), lowering.input(1)}));
}

}  // namespace lbann::compiler::layers
