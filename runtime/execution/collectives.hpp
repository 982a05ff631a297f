// Non-blocking collectives as steps of an entry point: post, poll, await.
#pragma once

#include <memory>

#include "kernels/kernel.hpp"
#include "runtime/communication/communicator.hpp"
#include "schemas/specialization/exchange.hpp"

namespace lbann::runtime {

/// Posts `transfer`, which outlives it.
/// The same of an exchange of parts.
std::unique_ptr<Transfer> staged_exchange(Communicator& trainer, Exchange exchange,
                                          kernels::View const& input, kernels::View const& output);

std::unique_ptr<kernels::Kernel> post_kernel(Transfer& transfer);
/// Polls `transfer`, so that it makes progress between instructions.
std::unique_ptr<kernels::Kernel> poll_kernel(Transfer& transfer);
/// Waits until `transfer` is complete.
std::unique_ptr<kernels::Kernel> await_kernel(Transfer& transfer);

/// The sum of `parts` in the device's memory over the ranks into `sum`, by way of the host's.
std::unique_ptr<Transfer> staged_sum(Communicator& ranks, kernels::View const& parts,
                                     kernels::View const& sum);

}  // namespace lbann::runtime
