// The factor of the objective in mixed precision with f16, as PyTorch's GradScaler and LBANN move
// it.
#pragma once

#include "compiler/compilation/compilation.hpp"
#include "compiler/lowering/emitter.hpp"

namespace lbann::compiler {

/// Appends to `train`, behind the gradients: a scalar that is 1 where all of them are finite, else
/// 0; the same on all ranks.
TensorId gradients_are_finite(Compilation const& compilation, Emitter& emitter);

/// The factor of the next step, and the count of steps without an update.
void adapt_loss_scale(Compilation const& compilation, Emitter& emitter, TensorId finite);

}  // namespace lbann::compiler
