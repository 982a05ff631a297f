// Portable kernel of pooling_gradient: a channel of a sample for each index.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/kokkos/windows.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

using operators::PoolMode;

template <class T>
struct PoolingGradient {
  T const *x, *dy;
  T* dx;
  WindowGeometry g;
  PoolMode mode;

  KOKKOS_FUNCTION void operator()(std::int64_t channel) const {
    T const* const from = x + channel * g.entries();
    T const* gradient = dy + channel * g.positions();
    T* const to = dx + channel * g.entries();
    for (std::int64_t i = 0; i < g.entries(); ++i) to[i] = 0;
    for (std::int64_t p0 = 0; p0 < g.axes[0].to; ++p0)
      for (std::int64_t p1 = 0; p1 < g.axes[1].to; ++p1)
        for (std::int64_t p2 = 0; p2 < g.axes[2].to; ++p2)
          spread(from, *gradient++, to, p0, p1, p2);
  }

 private:
  /// Adds the gradient of one window to its entries: all of it to the first largest entry, or equal
  /// shares.
  KOKKOS_FUNCTION void spread(T const* from, T gradient, T* to, std::int64_t p0, std::int64_t p1,
                              std::int64_t p2) const {
    std::int64_t largest = -1, count = 0;
    for_each_entry(g, p0, p1, p2, [&](std::int64_t entry) {
      if (count++ == 0 || from[entry] > from[largest]) largest = entry;
    });
    if (count == 0) return;
    if (mode == PoolMode::max) {
      to[largest] += gradient;
      return;
    }
    auto const share = gradient / static_cast<T>(mode == PoolMode::average ? g.taps() : count);
    for_each_entry(g, p0, p1, p2, [&](std::int64_t entry) { to[entry] += share; });
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
                  g.samples * g.channels, static_cast<double>(dy.elements() * g.taps()),
                  PoolingGradient<T>{x.as<T>(), dy.as<T>(), call.outputs[0].as<T>(), g, op.mode});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
