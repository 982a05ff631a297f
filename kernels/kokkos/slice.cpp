// Portable kernel of slice: runs of memory copied out of the whole.
#include "kernels/kokkos/copies.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

Implementation slice_kernel() {
  return {"kokkos", [](Call const&) { return true; },
          [](Call const& call) {
            return copies_kernel(copies_of_slice(call), bytes_of(call.inputs[0].type));
          }};
}

}  // namespace lbann::kernels::kokkos
