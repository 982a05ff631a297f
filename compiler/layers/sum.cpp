// The layer `sum`: maps of up to sixteen inputs.
#include "compiler/layers/sum.hpp"

#include <algorithm>

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> sum::output_dims(LayerContext const& context) const {
  return same_as_inputs(context);
}

void sum::lower(Lowering& lowering) const {
  auto total = lowering.input(0);
  for (std::size_t next = 1; next < lowering.input_count();) {
    auto const end = std::min(lowering.input_count(), next + max_operands - 1);
    ExpressionBuilder build;
    std::vector<TensorId> inputs = {total};
    auto sum = build.operand(0);
    for (; next < end; ++next) {
      sum = sum + build.operand(inputs.size());
      inputs.push_back(lowering.input(next));
    }
    total = lowering.map(build.finish({sum}), std::move(inputs));
  }
  lowering.output(0, total);
}

}  // namespace lbann::compiler::layers
