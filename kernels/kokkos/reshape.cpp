// Portable kernel of reshape: nothing, unless the output was placed elsewhere.
#include "kernels/kokkos/copies.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

Implementation reshape_kernel() {
  return {"kokkos", [](Call const&) { return true; },
          [](Call const& call) {
            return copies_kernel(copies_of_reshape(call), bytes_of(call.inputs[0].type));
          }};
}

}  // namespace lbann::kernels::kokkos
