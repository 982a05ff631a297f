// Portable kernel of random: four numbers of one counter for each index.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/kokkos/random_blocks.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

Implementation random_kernel() {
  return {"kokkos", accepts_random, [](Call const& call) {
            return with_random_type(call.outputs[0].type, [&](auto zero) {
              return with_random_blocks<1, decltype(zero)>(
                  call, [](auto const& blocks, std::int64_t count, double cost) {
                    return functor_kernel(count, cost, blocks);
                  });
            });
          }};
}

}  // namespace lbann::kernels::kokkos
