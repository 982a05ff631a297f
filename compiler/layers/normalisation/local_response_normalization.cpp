// The layer `local_response_normalization`: windows of channels, pooled as if they were an axis of
// an image.
#include "compiler/layers/normalisation/local_response_normalization.hpp"

#include <algorithm>

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> local_response_normalization::output_dims(
    LayerContext const& context) const {
  return same_as_input(context);
}

void local_response_normalization::lower(LoweringContext& lowering) const {
  auto const& dims = lowering.input_dims(0);
  auto const channels = dims[0];
  auto const rest = *entries(dims) / std::max<std::int64_t>(channels, 1);
  auto const x = lowering.reshape(lowering.input(0), batched(Dims{1, channels, rest}));
  // No window reaches further than all channels.
  auto const reach = std::min(window_width / 2, channels - 1);
  operators::pooling mean;
  mean.mode = operators::PoolMode::average;  // over the padding's zeros as well
  mean.window = {2 * reach + 1, 1};
  mean.stride = {1, 1};
  mean.padding = {reach, 0};
  auto const squares = lowering.map(expression_of(Function::square, 1), {x});
  auto const means = lowering.emit(std::move(mean), {squares})[0];
  ExpressionBuilder build;
  auto const sum = build.operand(1) * static_cast<double>(2 * reach + 1);
  auto const base = sum * lrn_alpha + lrn_k;
  auto const factor = build.apply(Function::pow, {base, build.constant(-lrn_beta)});
  lowering.output(0, lowering.map(build.finish({build.operand(0) * factor}), {x, means}));
}

}  // namespace lbann::compiler::layers
