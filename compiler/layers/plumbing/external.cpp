// The layer `external`: one operator.
#include "compiler/layers/plumbing/external.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> external::output_dims(LayerContext const& context) const {
  auto const& given = context.given_dims ? *context.given_dims : context.inputs[0];
  return std::vector<Dims>(context.children, dims.empty() ? given : dims);
}

void external::lower(LoweringContext& lowering) const {
  std::vector<TensorId> inputs;
  for (std::size_t i = 0; i < lowering.input_count(); ++i) inputs.push_back(lowering.input(i));
  operators::external op{
      {filename, layer_name}, batched(lowering.output_dims(0)), num_outputs, differentiable};
  auto const outputs = lowering.emit(std::move(op), std::move(inputs));
  for (std::size_t o = 0; o < lowering.output_count(); ++o) lowering.output(o, outputs[o]);
}

}  // namespace lbann::compiler::layers
