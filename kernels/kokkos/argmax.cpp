// Portable kernel of argmax: a sample for each index.
#include <limits>

#include "kernels/element_types.hpp"
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/kokkos/lanes.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/rows.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T>
struct Argmax {
  T const* x;
  std::int64_t* result;
  std::int64_t columns;

  /// The first entry like the largest, looked for in the first block that has one.
  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    constexpr std::int64_t block = 256;
    T const* const values = x + row * columns;
    T largest = std::numeric_limits<T>::lowest();
    std::int64_t place = -1;
    // Short rows are sooner gone through once, as below.
    for (std::int64_t begin = 0; begin < columns && columns >= 64; begin += block) {
      std::int64_t const rest = columns - begin;
      T const* const some = values + begin;
      T const next =
          lane_max(rest < block ? rest : block, largest, [=](std::int64_t i) { return some[i]; });
      if (next > largest) place = begin;
      largest = next;
    }
    if (place >= 0) {
      while (values[place] != largest) ++place;
    } else {
      // Or nothing is above the lowest number.
      for (std::int64_t i = 0; i < columns; ++i)
        if (values[i] == values[i] && (place < 0 || values[i] > values[place])) place = i;
    }
    result[row] = place < 0 ? 0 : place;
  }
};

}  // namespace

Implementation argmax_kernel() {
  return {"kokkos", [](Call const& call) { return is_arithmetic(call.inputs[0].type); },
          [](Call const& call) {
            auto const& x = call.inputs[0];
            auto const rows = rows_of(x).rows, columns = rows_of(x).columns;
            return with_type(x.type, [&](auto zero) {
              using T = decltype(zero);
              return functor_kernel(
                  rows, static_cast<double>(rows * columns) * 0.2,
                  Argmax<T>{x.as<T>(), call.outputs[0].as<std::int64_t>(), columns});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
