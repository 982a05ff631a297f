// Portable kernel of argmax: a sample for each index.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/rows.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T>
struct Argmax {
  T const* x;
  std::int64_t* result;
  std::int64_t columns;

  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    T const* const values = x + row * columns;
    std::int64_t best = -1;
    for (std::int64_t i = 0; i < columns; ++i)
      if (values[i] == values[i] && (best < 0 || values[i] > values[best])) best = i;
    result[row] = best < 0 ? 0 : best;
  }
};

}  // namespace

Implementation argmax_kernel() {
  return {"kokkos", [](Call const& call) { return is_loadable(call.inputs[0].type); },
          [](Call const& call) {
            auto const& x = call.inputs[0];
            auto const [rows, columns] = rows_of(x);
            return with_type(x.type, [&](auto zero) {
              using T = decltype(zero);
              return functor_kernel(
                  rows, static_cast<double>(rows * columns),
                  Argmax<T>{x.as<T>(), call.outputs[0].as<std::int64_t>(), columns});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
