// Collectives as steps of an entry point: posted, moved on between instructions, awaited.
#pragma once

#include <memory>

#include "kernels/kernel.hpp"
#include "runtime/communication/communicator.hpp"

namespace lbann::runtime {

/// Posts `transfer`, which outlives it.
std::unique_ptr<kernels::Kernel> post_kernel(Transfer& transfer);
/// Lets `transfer` go on, between instructions.
std::unique_ptr<kernels::Kernel> poll_kernel(Transfer& transfer);
/// Waits until `transfer` has arrived.
std::unique_ptr<kernels::Kernel> await_kernel(Transfer& transfer);

}  // namespace lbann::runtime
