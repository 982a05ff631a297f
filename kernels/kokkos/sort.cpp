// Portable kernel of sort: a row for each index, by merging sorted runs of growing length.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T>
struct Sort {
  T const* x;
  T* sorted;
  std::int64_t* order;
  std::int64_t* other;  ///< scratch, as large as `order`
  std::int64_t columns;
  bool descending;

  /// Whether `b` must stand before `a`, which stood first; NaN come last.
  KOKKOS_FUNCTION bool before(T b, T a) const {
    if (a != a || b != b) return a != a && b == b;
    return descending ? b > a : b < a;
  }

  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    T const* const values = x + row * columns;
    std::int64_t* const result = order + row * columns;
    std::int64_t *from = result, *to = other + row * columns;
    for (std::int64_t i = 0; i < columns; ++i) from[i] = i;
    for (std::int64_t width = 1; width < columns; width *= 2) {
      for (std::int64_t begin = 0; begin < columns; begin += 2 * width) {
        std::int64_t const middle = begin + width < columns ? begin + width : columns;
        std::int64_t const end = middle + width < columns ? middle + width : columns;
        std::int64_t a = begin, b = middle;
        for (std::int64_t i = begin; i < end; ++i) {
          bool const second = b < end && (a >= middle || before(values[from[b]], values[from[a]]));
          to[i] = from[second ? b++ : a++];
        }
      }
      auto* const merged = to;
      to = from;
      from = merged;
    }
    for (std::int64_t i = 0; i < columns; ++i) {
      result[i] = from[i];
      sorted[row * columns + i] = values[from[i]];
    }
  }
};

}  // namespace

Implementation sort_kernel() {
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
                  rows, 30 * static_cast<double>(x.elements()),
                  Sort<T>{x.as<T>(), call.outputs[0].as<T>(), call.outputs[1].as<std::int64_t>(),
                          reinterpret_cast<std::int64_t*>(call.scratch.data()), columns,
                          operator_of<operators::sort>(call).descending});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
