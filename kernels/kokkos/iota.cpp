// Portable kernel of iota: a number for each index.
#include "kernels/element_types.hpp"
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T>
struct Iota {
  T* y;
  KOKKOS_FUNCTION void operator()(std::int64_t index) const { y[index] = convert<T>(index); }
};

}  // namespace

Implementation iota_kernel() {
  return {"kokkos", [](Call const& call) { return is_arithmetic(call.outputs[0].type); },
          [](Call const& call) {
            auto const& y = call.outputs[0];
            return with_type(y.type, [&](auto zero) {
              using T = decltype(zero);
              return functor_kernel(y.elements(), static_cast<double>(y.elements()),
                                    Iota<T>{y.as<T>()});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
