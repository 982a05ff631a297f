// A CPU kernel that copies runs of memory: what slice, concatenate and reshape come down to.
#pragma once

#include "kernels/shapes/copies.hpp"

namespace lbann::kernels::host {

/// A kernel that makes the copies one after the other; those onto themselves are left out. All
/// addresses and sizes are multiples of `unit` bytes (1, 2, 4 or 8).
std::unique_ptr<Kernel> copies_kernel(std::vector<Copy> copies, std::size_t unit);

}  // namespace lbann::kernels::host
