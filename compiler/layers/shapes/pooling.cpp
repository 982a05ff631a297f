// The layer `pooling`: one operator.
#include "compiler/layers/shapes/pooling.hpp"

#include "schemas/operators/operators.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> pooling::output_dims(LayerContext const& context) const {
  auto dims = pooled(context, context.inputs[0]);
  if (!dims) return std::nullopt;
  return std::vector<Dims>{std::move(*dims)};
}

void pooling::lower(LoweringContext& lowering) const {
  auto const window = this->window(lowering.input_dims(0).size() - 1);
  operators::pooling op;
  using enum LayerPoolMode;
  op.mode = pool_mode == average          ? operators::PoolMode::average
            : pool_mode == average_no_pad ? operators::PoolMode::average_no_pad
                                          : operators::PoolMode::max;
  op.window = window.size;
  op.stride = window.stride;
  op.padding = window.padding;
  lowering.output(0, lowering.emit(std::move(op), {lowering.input(0)})[0]);
}

}  // namespace lbann::compiler::layers
