// CPU kernel of reshape: nothing, unless the output was placed elsewhere.
#include "kernels/host/movement/copies.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::host {

Implementation reshape_kernel() {
  return {"host", [](Call const&) { return true; },
          [](Call const& call) {
            return copies_kernel(copies_of_reshape(call), bytes_of(call.inputs[0].type));
          }};
}

}  // namespace lbann::kernels::host
