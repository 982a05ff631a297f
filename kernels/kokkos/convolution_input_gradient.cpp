// Portable kernel of convolution_input_gradient: an entry of the input for each index.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/window_geometry.hpp"

namespace lbann::kernels::kokkos {

namespace {

/// dx[index]: the sum of every product of which its entry was a factor, those of a filter in T,
/// their sums in double.
template <class T>
struct InputGradientElements {
  WindowGeometry g;
  T const *dy, *kernel;
  ComputeType<T>* dx;

  /// The position that sees entry `i` through tap `t`, or -1.
  KOKKOS_FUNCTION static std::int64_t position(WindowAxis const& axis, std::int64_t i,
                                               std::int64_t t) {
    auto const distance = i + axis.padding - t * axis.dilation;
    if (distance < 0 || distance % axis.stride != 0) return -1;
    return distance / axis.stride < axis.to ? distance / axis.stride : -1;
  }

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    auto const &az = g.axes[0], &ay = g.axes[1], &ax = g.axes[2];
    auto const ix = index % ax.from, iy = index / ax.from % ay.from;
    auto const iz = index / (ax.from * ay.from) % az.from;
    auto const row = index / g.entries(), c = row % g.channels, n = row / g.channels;
    auto const depth = g.depth(), first = c / depth * g.group_filters();
    double total = 0;
    for (std::int64_t o = first; o < first + g.group_filters(); ++o) {
      ComputeType<T> sum = 0;
      T const* const channel = dy + (n * g.filters + o) * g.positions();
      T const* weight = kernel + (o * depth + c % depth) * g.taps();
      for (std::int64_t tz = 0; tz < az.taps; ++tz)
        for (std::int64_t ty = 0; ty < ay.taps; ++ty)
          for (std::int64_t tx = 0; tx < ax.taps; ++tx, ++weight) {
            auto const z = position(az, iz, tz), y = position(ay, iy, ty), x = position(ax, ix, tx);
            if (z >= 0 && y >= 0 && x >= 0)
              sum += convert<ComputeType<T>>(channel[(z * ay.to + y) * ax.to + x]) *
                     convert<ComputeType<T>>(*weight);
          }
      total += static_cast<double>(sum);
    }
    dx[index] = static_cast<ComputeType<T>>(total);
  }
};

}  // namespace

Implementation convolution_input_gradient_kernel() {
  return {"kokkos", factors_of_one_type, [](Call const& call) {
            auto const &dy = call.inputs[0], &kernel = call.inputs[1], &dx = call.outputs[0];
            auto const g = geometry_of(operator_of<operators::convolution_input_gradient>(call), dx,
                                       dy, kernel);
            return with_factor_type(dy.type, [&](auto zero) {
              using T = decltype(zero);
              return functor_kernel(
                  dx.elements(), static_cast<double>(dx.elements() * g.group_filters() * g.taps()),
                  InputGradientElements<T>{g, dy.as<T>(), kernel.as<T>(), dx.as<ComputeType<T>>()});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
