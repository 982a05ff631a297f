// The loss scale of mixed precision with f16, which changes as in PyTorch's GradScaler and in
// LBANN.
#pragma once

#include "compiler/compilation/compilation.hpp"
#include "compiler/lowering/emitter.hpp"

namespace lbann::compiler {

/// Appends to `train`, behind the gradients: a scalar that is 1 where all of them are finite, else
/// 0; the same on all ranks.
TensorId gradients_are_finite(Compilation const& compilation, Emitter& emitter);

/// Appends the loss scale of the next step, and the counts of steps that it and the log depend on.
void adapt_loss_scale(Compilation const& compilation, Emitter& emitter, TensorId finite);

}  // namespace lbann::compiler
