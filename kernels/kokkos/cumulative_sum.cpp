// Portable kernel of cumulative_sum: a row for each index.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T>
struct CumulativeSum {
  T const* x;
  T* y;
  std::int64_t columns;
  bool reverse;

  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    std::int64_t const begin = row * columns;
    double sum = 0;
    for (std::int64_t i = 0; i < columns; ++i) {
      std::int64_t const at = begin + (reverse ? columns - 1 - i : i);
      sum += static_cast<double>(x[at]);
      y[at] = static_cast<T>(sum);
    }
  }
};

}  // namespace

Implementation cumulative_sum_kernel() {
  return {"kokkos",
          [](Call const& call) {
            return call.inputs[0].type == DataType::f32 || call.inputs[0].type == DataType::f64;
          },
          [](Call const& call) {
            auto const& x = call.inputs[0];
            auto const columns = x.extents[x.rank - 1u];
            auto const rows = columns == 0 ? 0 : x.elements() / columns;
            return with_floating(x.type, [&](auto zero) {
              using T = decltype(zero);
              return functor_kernel(
                  rows, static_cast<double>(x.elements()),
                  CumulativeSum<T>{x.as<T>(), call.outputs[0].as<T>(), columns,
                                   operator_of<operators::cumulative_sum>(call).reverse});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
