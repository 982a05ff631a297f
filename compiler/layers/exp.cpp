// The layer `exp`: one map.
#include "compiler/layers/exp.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> exp::output_dims(LayerContext const& context) const {
  return same_as_input(context);
}

void exp::lower(Lowering& lowering) const {
  lowering.output(0, lowering.map(expression_of(Function::exp, 1), {lowering.input(0)}));
}

}  // namespace lbann::compiler::layers
