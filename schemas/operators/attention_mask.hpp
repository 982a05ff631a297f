// The gradient of a mask of attention.
#pragma once

#include "schemas/operators/attention.hpp"
#include "schemas/operators/backward.hpp"

namespace lbann::operators {

/// Contributes to input 3 of `op`, the mask, its gradient: with w, dy, v and y as in
/// `attention_gradient` sums of w[i, j] (dy[i] . v[j] - dy[i] . y[i]) over the axes along which the
/// mask is broadcast. All pairs of queries and keys are tensors in memory here.
void contribute_mask_gradient(attention const& op, BackwardContext& context);

}  // namespace lbann::operators
