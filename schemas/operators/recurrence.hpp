// What the rules of recurrent operators, gru and lstm, share.
#pragma once

#include "schemas/operators/backward.hpp"

namespace lbann::operators::rules {

/// Emits the gradient of recurrent weights [gates h, h]: the sum over all steps of the outer
/// products of `of_products`, the gradient of the recurrent products [batch, steps, gates h], and
/// the state before the step, from `states` [batch, steps, h] and the `first` one [batch, h].
TensorId recurrent_weights_gradient(BackwardContext& context, TensorId states, TensorId first,
                                    TensorId of_products);

/// Scratch memory of a recurrence with these `weights` [gates h, h] over `rows` samples in panels
/// of up to eight: the weights in the order of register tiles, and `of_sample` numbers for each
/// sample.
std::int64_t recurrence_scratch_bytes(TensorType const& weights, std::int64_t rows,
                                      std::int64_t of_sample);

}  // namespace lbann::operators::rules
