// All-gather, reduce-scatter and all-to-all by messages between pairs of ranks.
#pragma once

#include <memory>
#include <span>

#include "kernels/kernel.hpp"
#include "runtime/communication/communicator.hpp"
#include "schemas/specialization/exchange.hpp"

namespace lbann::runtime {

/// Sends pieces of `input` to the ranks of `trainer` that need them, and puts together `output` of
/// what they send. Pieces that do not lie in one row are packed into `scratch`, which holds all
/// that is sent and received. Sums are taken in the order of ranks, so that they are the same for
/// any number of messages under way.
std::unique_ptr<Transfer> exchange_transfer(Communicator& trainer, Exchange exchange,
                                            kernels::View const& input, kernels::View const& output,
                                            std::span<std::byte> scratch);

}  // namespace lbann::runtime
