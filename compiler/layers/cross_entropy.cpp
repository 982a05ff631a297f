// The layer `cross_entropy`: one reduction.
#include "compiler/layers/cross_entropy.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> cross_entropy::output_dims(LayerContext const& context) const {
  return one_number(context);
}

void cross_entropy::lower(Lowering& lowering) const {
  lowering.output(0,
                  sum_over_sample(lowering, operators::softmax_cross_entropy::term(),
                                  {lowering.input(0), lowering.input(1)}, lowering.input_dims(0)));
}

}  // namespace lbann::compiler::layers
