// CPU kernel of random: blocks that fill vector registers.
#include "kernels/host/functor_kernel.hpp"
#include "kernels/kokkos/random_blocks.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::host {

Implementation random_kernel() {
  return {"host", accepts_random, [](Call const& call) {
            return with_random_type(call.outputs[0].type, [&](auto zero) {
              return with_random_blocks<32, decltype(zero)>(
                  call, [](auto const& blocks, std::int64_t count, double cost) {
                    return functor_kernel(count, cost, blocks);
                  });
            });
          }};
}

}  // namespace lbann::kernels::host
