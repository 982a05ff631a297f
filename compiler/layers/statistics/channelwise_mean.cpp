// The layer `channelwise_mean`: a sum and a factor.
#include "compiler/layers/statistics/channelwise_mean.hpp"

#include "compiler/layers/expressions.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> channelwise_mean::output_dims(LayerContext const& context) const {
  return std::vector<Dims>{Dims{context.inputs[0][0]}};
}

void channelwise_mean::lower(LoweringContext& lowering) const {
  auto const& dims = lowering.input_dims(0);
  auto const sum = reduced(lowering, operators::ReduceMode::sum, operand_itself(),
                           {lowering.input(0)}, dims, axes_from(dims, 1));
  double count = 1;
  for (std::size_t axis = 1; axis < dims.size(); ++axis) count *= static_cast<double>(dims[axis]);
  lowering.output(0, scaled(lowering, sum, 1 / count));
}

}  // namespace lbann::compiler::layers
