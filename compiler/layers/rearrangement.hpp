// Entries named, repeated, told their place: what layers on indices and shapes share.
#pragma once

#include "compiler/layers/expressions.hpp"

namespace lbann::compiler::layers {

/// The axis of a sample with `rank` axes that `axis` names, counted from the last if negative;
/// nothing, and a diagnostic at field `axis`, if there is none.
std::optional<std::size_t> axis_of(LayerContext const& context, std::int64_t axis,
                                   Dims const& input);

/// 0, 1, ..., extent - 1 in the type of activations, of shape [extent] followed by `ones` axes of
/// extent 1.
TensorId places(LoweringContext& lowering, std::int64_t extent, std::size_t ones = 0);

/// `gather` along axis `axis` of the tensor; `batch_axes` as in the operator.
TensorId gathered(LoweringContext& lowering, TensorId values, TensorId indices, std::int64_t axis,
                  std::int64_t batch_axes);

/// `tensor`, of samples of `dims`, with runs of consecutive entries of axis `axis` repeated `times`
/// times: `run` entries long, 1 or the whole axis. Gives [outer * batch, axis * times, inner].
TensorId repeated(LoweringContext& lowering, TensorId tensor, Dims const& dims, std::size_t axis,
                  std::int64_t run, std::int64_t times);

/// The root of `square`, which is not negative; its gradient is 0 where it is 0.
Term root_of(Term square);

}  // namespace lbann::compiler::layers
