// A kernel that copies runs of memory: what slice, concatenate and reshape come down to.
#pragma once

#include <vector>

#include "kernels/kernel.hpp"

namespace lbann::kernels::kokkos {

/// `count` runs of `bytes`, their beginnings `from_step` and `to_step` bytes apart.
struct Copy {
  std::byte const* from = nullptr;
  std::byte* to = nullptr;
  std::int64_t count = 0, bytes = 0, from_step = 0, to_step = 0;
};

/// A kernel that makes the copies one after the other; those onto themselves are left out.
/// All addresses and sizes are multiples of `unit` bytes (1, 2, 4 or 8).
std::unique_ptr<Kernel> copies_kernel(std::vector<Copy> copies, std::size_t unit);

}  // namespace lbann::kernels::kokkos
