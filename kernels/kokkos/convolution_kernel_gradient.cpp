// Portable kernel of convolution_kernel_gradient: a tap of the kernel for each index.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/window_geometry.hpp"

namespace lbann::kernels::kokkos {

namespace {

/// dkernel[index]: the sum of every product of which its tap was a factor, rows of positions in T,
/// their sums in double.
template <class T>
struct KernelGradientElements {
  WindowGeometry g;
  T const *x, *dy;
  ComputeType<T>* dkernel;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    auto const &az = g.axes[0], &ay = g.axes[1], &ax = g.axes[2];
    auto const tx = index % ax.taps, ty = index / ax.taps % ay.taps;
    auto const tz = index / (ax.taps * ay.taps) % az.taps;
    auto const row = index / g.taps(), d = row % g.depth(), o = row / g.depth();
    auto const c = o / g.group_filters() * g.depth() + d;
    double total = 0;
    for (std::int64_t n = 0; n < g.samples; ++n) {
      T const* const channel = x + (n * g.channels + c) * g.entries();
      T const* gradient = dy + (n * g.filters + o) * g.positions();
      for (std::int64_t pz = 0; pz < az.to; ++pz)
        for (std::int64_t py = 0; py < ay.to; ++py) {
          ComputeType<T> sum = 0;
          for (std::int64_t px = 0; px < ax.to; ++px, ++gradient) {
            auto const z = pz * az.stride + tz * az.dilation - az.padding;
            auto const y0 = py * ay.stride + ty * ay.dilation - ay.padding;
            auto const x0 = px * ax.stride + tx * ax.dilation - ax.padding;
            if (z < 0 || z >= az.from || y0 < 0 || y0 >= ay.from || x0 < 0 || x0 >= ax.from)
              continue;
            sum += convert<ComputeType<T>>(channel[(z * ay.from + y0) * ax.from + x0]) *
                   convert<ComputeType<T>>(*gradient);
          }
          total += static_cast<double>(sum);
        }
    }
    dkernel[index] = static_cast<ComputeType<T>>(total);
  }
};

}  // namespace

Implementation convolution_kernel_gradient_kernel() {
  return {
      "kokkos", factors_of_one_type, [](Call const& call) {
        auto const &x = call.inputs[0], &dy = call.inputs[1], &dkernel = call.outputs[0];
        auto const g =
            geometry_of(operator_of<operators::convolution_kernel_gradient>(call), x, dy, dkernel);
        return with_factor_type(x.type, [&](auto zero) {
          using T = decltype(zero);
          return functor_kernel(
              dkernel.elements(),
              static_cast<double>(dkernel.elements() * g.samples * g.positions()),
              KernelGradientElements<T>{g, x.as<T>(), dy.as<T>(), dkernel.as<ComputeType<T>>()});
        });
      }};
}

}  // namespace lbann::kernels::kokkos
