// Portable kernel of pooling_gradient: an entry of the input for each index.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/kokkos/windows.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/division.hpp"

namespace lbann::kernels::kokkos {

namespace {

using operators::PoolMode;

template <class T>
struct PoolingGradient {
  T const *x, *dy;
  T* dx;
  WindowGeometry g;
  PoolMode mode;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    auto const &a = g.axes[0], &b = g.axes[1], &c = g.axes[2];
    auto const [channel, entry] = divide(index, g.entries());
    auto const [row, i2] = divide(entry, c.from);
    auto const [i0, i1] = divide(row, b.from);
    auto const r0 = windows_over(a, i0), r1 = windows_over(b, i1), r2 = windows_over(c, i2);
    T const* const from = x + channel * g.entries();
    T const* const gradient = dy + channel * g.positions();
    T sum = 0;
    for (auto p0 = r0.first; p0 < r0.last; ++p0)
      for (auto p1 = r1.first; p1 < r1.last; ++p1)
        for (auto p2 = r2.first; p2 < r2.last; ++p2)
          sum += share(from, entry, gradient[(p0 * b.to + p1) * c.to + p2], p0, p1, p2);
    dx[index] = sum;
  }

 private:
  struct Range {
    std::int64_t first, last;
  };

  /// Positions whose window covers entry `i` of an axis.
  KOKKOS_FUNCTION static Range windows_over(WindowAxis const& axis, std::int64_t i) {
    auto const end = i + axis.padding, begin = end - axis.taps + 1;
    Range const range{begin <= 0 ? 0 : divide(begin + axis.stride - 1, axis.stride).quotient,
                      divide(end, axis.stride).quotient + 1};
    return {range.first, range.last < axis.to ? range.last : axis.to};
  }

  /// What `entry` gets of the gradient of one window: all of it if it is the first largest entry,
  /// or an equal share.
  KOKKOS_FUNCTION T share(T const* from, std::int64_t entry, T gradient, std::int64_t p0,
                          std::int64_t p1, std::int64_t p2) const {
    std::int64_t largest = -1, count = 0;
    for_each_entry(g, p0, p1, p2, [&](std::int64_t each) {
      if (count++ == 0 || from[each] > from[largest]) largest = each;
    });
    if (mode == PoolMode::max) return entry == largest ? gradient : T(0);
    return gradient / static_cast<T>(mode == PoolMode::average ? g.taps() : count);
  }
};

}  // namespace

Implementation pooling_gradient_kernel() {
  return {"kokkos", one_type, [](Call const& call) {
            auto const& op = operator_of<operators::pooling_gradient>(call);
            auto const &x = call.inputs[0], &dy = call.inputs[1];
            auto const g = window_geometry(x, dy, op.window, op.stride, op.padding, {}, 1);
            return with_floating(x.type, [&](auto zero) {
              using T = decltype(zero);
              return functor_kernel(
                  x.elements(), static_cast<double>(dy.elements() * g.taps()),
                  PoolingGradient<T>{x.as<T>(), dy.as<T>(), call.outputs[0].as<T>(), g, op.mode});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
