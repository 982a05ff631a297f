// Portable kernel of uniform_hash: a number for each index.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/md5.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T>
struct UniformHash {
  T const* x;
  T* y;
  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    y[index] = uniform_hash_of(x[index]);
  }
};

}  // namespace

Implementation uniform_hash_kernel() {
  return {"kokkos", one_type, [](Call const& call) {
            auto const& x = call.inputs[0];
            return with_floating(x.type, [&](auto zero) {
              using T = decltype(zero);
              return functor_kernel(x.elements(), 200 * static_cast<double>(x.elements()),
                                    UniformHash<T>{x.as<T>(), call.outputs[0].as<T>()});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
