// Entries chosen by given probabilities: what categorical_random and discrete_random share.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Input 0 are probabilities [batch, n]. In training, for each of `count` numbers drawn from [0, 1)
/// the first entry up to which the probabilities sum to more, the last one if there is none;
/// otherwise the most probable entry, the first of equals. Gives indices [batch, count] in the type
/// of activations.
TensorId chosen_by_probability(LoweringContext& lowering, std::int64_t count);

}  // namespace lbann::compiler::layers
