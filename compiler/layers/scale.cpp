// The layer `scale`: one map.
#include "compiler/layers/scale.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> scale::output_dims(LayerContext const& context) const {
  return same_as_input(context);
}

void scale::lower(Lowering& lowering) const {
  ExpressionBuilder build;
  lowering.output(0,
                  lowering.map(build.finish({build.operand(0) * constant}), {lowering.input(0)}));
}

}  // namespace lbann::compiler::layers
