// Kernels of the host on tensors of a device: their operands are copied there and back.
#pragma once

#include "kernels/kernel.hpp"

namespace lbann::kernels {

/// The kernel that `host`, which works on the host's memory and accepts `call`, binds to copies of
/// the operands of `call`, which lie in the device's memory: inputs before it runs, outputs, of
/// which it writes every entry, after. Each run waits for the device: right for what happens once,
/// slow in a step.
std::unique_ptr<Kernel> staged_kernel(Implementation const& host, Call const& call);

}  // namespace lbann::kernels
