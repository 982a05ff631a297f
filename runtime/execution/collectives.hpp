// Collectives as steps of an entry point: posted, moved on between instructions, awaited.
#pragma once

#include <memory>

#include "kernels/kernel.hpp"
#include "runtime/communication/communicator.hpp"

namespace lbann::runtime {

/// Posts `sum`, which outlives it.
std::unique_ptr<kernels::Kernel> posting(Sum& sum);
/// Lets `sum` go on, between instructions.
std::unique_ptr<kernels::Kernel> polling(Sum& sum);
/// Waits until `sum` has arrived.
std::unique_ptr<kernels::Kernel> awaiting(Sum& sum);

}  // namespace lbann::runtime
