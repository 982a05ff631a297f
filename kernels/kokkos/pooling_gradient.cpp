// Portable kernel of pooling_gradient: an entry of the input for each index.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/kokkos/windows.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/division.hpp"

namespace lbann::kernels::kokkos {

namespace {

using operators::PoolMode;

template <class T, class Index>
struct PoolingGradient {
  T const *x, *dy;
  T* dx;
  WindowGeometry g;
  PoolMode mode;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    auto const &a = g.axes[0], &b = g.axes[1], &c = g.axes[2];
    auto const [channel, place] = divide(index, g.entries());
    auto const [row, i2] = divide(place, c.from);
    auto const [i0, i1] = divide(row, b.from);
    auto const r0 = windows_over(a, i0), r1 = windows_over(b, i1), r2 = windows_over(c, i2);
    T const* const from = x + channel * g.entries();
    T const* const gradient = dy + channel * g.positions();
    auto const entry = static_cast<Index>(place);
    auto const rows = static_cast<Index>(b.to), columns = static_cast<Index>(c.to);
    T sum = 0;
    for (auto p0 = r0.first; p0 < r0.last; ++p0)
      for (auto p1 = r1.first; p1 < r1.last; ++p1)
        for (auto p2 = r2.first; p2 < r2.last; ++p2)
          sum += share(from, entry, gradient[(p0 * rows + p1) * columns + p2], p0, p1, p2);
    dx[index] = sum;
  }

 private:
  struct Range {
    Index first, last;
  };

  /// Positions whose window covers entry `i` of an axis.
  KOKKOS_FUNCTION static Range windows_over(WindowAxis const& axis, std::int64_t i) {
    auto const end = i + axis.padding, begin = end - axis.taps + 1;
    auto const first = begin <= 0 ? 0 : divide(begin + axis.stride - 1, axis.stride).quotient;
    auto const last = divide(end, axis.stride).quotient + 1;
    return {static_cast<Index>(first), static_cast<Index>(last < axis.to ? last : axis.to)};
  }

  /// What `entry` gets of the gradient of one window: all of it if it is the first largest entry,
  /// or an equal share.
  KOKKOS_FUNCTION T share(T const* from, Index entry, T gradient, Index p0, Index p1,
                          Index p2) const {
    if (mode == PoolMode::average) return gradient / static_cast<T>(g.taps());
    Index largest = -1, count = 0;
    T value = 0;
    for_each_entry(g, p0, p1, p2, [&](Index each) {
      if (mode == PoolMode::max && (count == 0 || from[each] > value)) {
        largest = each;
        value = from[each];
      }
      ++count;
    });
    if (mode == PoolMode::max) return entry == largest ? gradient : T(0);
    return gradient / static_cast<T>(count);
  }
};

/// Of windows of one entry, numbers of any type of a size: zeros where no window is.
template <class Unit>
struct SpreadEntry {
  Unit const* dy;
  Unit* dx;
  WindowGeometry g;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    auto const &a = g.axes[0], &b = g.axes[1], &c = g.axes[2];
    auto const [channel, i] = place_of(index, a.from, b.from, c.from);
    auto const p0 = a.position(i[0], 0), p1 = b.position(i[1], 0), p2 = c.position(i[2], 0);
    bool const inside = p0 >= 0 && p1 >= 0 && p2 >= 0;
    dx[index] = inside ? dy[((channel * a.to + p0) * b.to + p1) * c.to + p2] : Unit(0);
  }
};

WindowGeometry geometry_of_call(Call const& call) {
  return pooling_geometry(operator_of<operators::pooling_gradient>(call), call.inputs[0],
                          call.inputs[1]);
}

bool accepts(Call const& call) {
  auto const type = call.inputs[0].type;
  return one_type(call) || (call.inputs[1].type == type && call.outputs[0].type == type &&
                            are_single_entries(geometry_of_call(call)));
}

}  // namespace

Implementation pooling_gradient_kernel() {
  return {"kokkos", accepts, [](Call const& call) {
            auto const& op = operator_of<operators::pooling_gradient>(call);
            auto const &x = call.inputs[0], &dy = call.inputs[1];
            auto const g = geometry_of_call(call);
            if (are_single_entries(g))
              return with_unit(bytes_of(x.type), [&](auto unit) -> std::unique_ptr<Kernel> {
                using Unit = decltype(unit);
                return functor_kernel(
                    x.elements(), static_cast<double>(x.elements()),
                    SpreadEntry<Unit>{dy.as<Unit>(), call.outputs[0].as<Unit>(), g});
              });
            return with_floating(x.type, [&](auto zero) -> std::unique_ptr<Kernel> {
              using T = decltype(zero);
              auto const cost = static_cast<double>(dy.elements() * g.taps());
              auto* const dx = call.outputs[0].as<T>();
              if (is_short(g.entries()))
                return functor_kernel(
                    x.elements(), cost,
                    PoolingGradient<T, std::int32_t>{x.as<T>(), dy.as<T>(), dx, g, op.mode});
              return functor_kernel(
                  x.elements(), cost,
                  PoolingGradient<T, std::int64_t>{x.as<T>(), dy.as<T>(), dx, g, op.mode});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
