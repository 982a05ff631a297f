// The layer `constant`: a map of nothing.
#include "compiler/layers/plumbing/constant.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> constant::output_dims(LayerContext const& context) const {
  auto dims = given_or_hinted(context, "num_neurons", num_neurons);
  if (!dims) return std::nullopt;
  return std::vector<Dims>{std::move(*dims)};
}

void constant::lower(LoweringContext& lowering) const {
  lowering.output(0, filled(lowering, value, lowering.output_dims(0)));
}

}  // namespace lbann::compiler::layers
