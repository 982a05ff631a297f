// Numbers drawn anew for each sample and step: what random layers share.
#pragma once

#include "compiler/layers/expressions.hpp"

namespace lbann::compiler::layers {

/// One output of `neuron_dims`, or of the hint layer's dims if there are none. Reports where
/// neither is given or their product is too large.
std::optional<std::vector<Dims>> random_dims(LayerContext const& context, Dims const& neuron_dims);

/// Numbers [batch, dims...] by the law of operator `random` with these parameters; `purpose` tells
/// them from others of the layer.
TensorId drawn(LoweringContext& lowering, operators::Distribution distribution, double first,
               double second, std::string_view purpose, Dims const& dims);

}  // namespace lbann::compiler::layers
