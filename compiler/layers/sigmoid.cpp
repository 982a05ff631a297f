// The layer `sigmoid`: one map.
#include "compiler/layers/sigmoid.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> sigmoid::output_dims(LayerContext const& context) const {
  return same_as_input(context);
}

void sigmoid::lower(Lowering& lowering) const {
  lowering.output(0, lowering.map(expression_of(Function::sigmoid, 1), {lowering.input(0)}));
}

}  // namespace lbann::compiler::layers
