// Scale and bias in one weights object, as layers share it.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// `<layer>_weights` [count, 2]: column 0 is the scale, 1, column 1 the bias, 0.
WeightsRole scale_and_bias(std::int64_t count);

/// Whether there are few enough, as their first values, 1 and 0, are listed in the plan; reports it
/// otherwise.
bool check_scale_and_bias(LayerContext const& context, std::int64_t count);

/// Output 0 = input 0 times the scale plus the bias, both of `dims`, which broadcast to a sample.
void lower_scale_and_bias(LoweringContext& lowering, Dims const& dims);

}  // namespace lbann::compiler::layers
