// Portable kernel of reshape: nothing, unless the output was placed elsewhere.
#include "kernels/kokkos/copies.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

Implementation reshape_kernel() {
  return {"kokkos", [](Call const&) { return true; },
          [](Call const& call) {
            auto const& x = call.inputs[0];
            auto const bytes = x.elements() * static_cast<std::int64_t>(bytes_of(x.type));
            return copies_kernel(
                {{x.as<std::byte>(), call.outputs[0].as<std::byte>(), 1, bytes, 0, 0}},
                bytes_of(x.type));
          }};
}

}  // namespace lbann::kernels::kokkos
