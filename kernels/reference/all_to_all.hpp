// all_to_all has no kernel: it belongs to the communicator of the runtime, which binds it itself.
// This implementation accepts nothing, so that a collective is never taken for a copy.
#pragma once

#include "kernels/kernel.hpp"

namespace lbann::kernels::reference {

template <class Number>
Implementation all_to_all_kernel() {
  return {"reference", [](Call const&) { return false; },
          [](Call const&) { return std::unique_ptr<Kernel>(); }};
}

}  // namespace lbann::kernels::reference
