// The layer `multiply`: one map.
#include "compiler/layers/multiply.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> multiply::output_dims(LayerContext const& context) const {
  return same_as_inputs(context);
}

void multiply::lower(Lowering& lowering) const {
  lowering.output(0, lowering.map(expression_of(Function::multiply, 2),
                                  {lowering.input(0), lowering.input(1)}));
}

}  // namespace lbann::compiler::layers
