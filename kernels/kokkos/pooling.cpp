// Portable kernel of pooling: a window for each index.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/kokkos/windows.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/division.hpp"

namespace lbann::kernels::kokkos {

namespace {

using operators::PoolMode;

template <class T>
struct Pooling {
  T const* x;
  T* y;
  WindowGeometry g;
  PoolMode mode;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    auto const &a = g.axes[0], &b = g.axes[1], &c = g.axes[2];
    auto const [line, p2] = divide(index, c.to);
    auto const [plane, p1] = divide(line, b.to);
    auto const [channel, p0] = divide(plane, a.to);
    T const* const from = x + channel * g.entries();
    double sum = 0;
    T largest = lowest<T>();
    std::int64_t count = 0;
    for_each_entry(g, p0, p1, p2, [&](std::int64_t entry) {
      auto const value = from[entry];
      sum += static_cast<double>(value);
      if (count++ == 0 || value > largest) largest = value;
    });
    if (mode == PoolMode::average) count = g.taps();
    if (mode == PoolMode::max)
      y[index] = largest;
    else
      y[index] = count == 0 ? T(0) : static_cast<T>(sum / static_cast<double>(count));
  }
};

}  // namespace

Implementation pooling_kernel() {
  return {"kokkos", one_type, [](Call const& call) {
            auto const& op = operator_of<operators::pooling>(call);
            auto const &x = call.inputs[0], &y = call.outputs[0];
            auto const g = window_geometry(x, y, op.window, op.stride, op.padding, {}, 1);
            return with_floating(x.type, [&](auto zero) {
              using T = decltype(zero);
              return functor_kernel(y.elements(), static_cast<double>(y.elements() * g.taps()),
                                    Pooling<T>{x.as<T>(), y.as<T>(), g, op.mode});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
