// Convolutions an element at a time: what a device's threads compute.
#pragma once

#include <Kokkos_Core.hpp>

#include "kernels/kokkos/window_geometry.hpp"

namespace lbann::kernels::kokkos {

/// y[index] of a convolution, in C order.
template <class T>
struct ConvolutionElements {
  WindowGeometry g;
  T const *x, *kernel;
  T* y;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    auto const &az = g.axes[0], &ay = g.axes[1], &ax = g.axes[2];
    auto const px = index % ax.to, py = index / ax.to % ay.to, pz = index / (ax.to * ay.to) % az.to;
    auto const row = index / g.positions(), o = row % g.filters, n = row / g.filters;
    auto const depth = g.depth(), group = o / g.group_filters();
    T sum = 0;
    for (std::int64_t d = 0; d < depth; ++d) {
      T const* const channel = x + (n * g.channels + group * depth + d) * g.entries();
      T const* weight = kernel + (o * depth + d) * g.taps();
      for (std::int64_t tz = 0; tz < az.taps; ++tz)
        for (std::int64_t ty = 0; ty < ay.taps; ++ty)
          for (std::int64_t tx = 0; tx < ax.taps; ++tx, ++weight) {
            auto const z = pz * az.stride + tz * az.dilation - az.padding;
            auto const y0 = py * ay.stride + ty * ay.dilation - ay.padding;
            auto const x0 = px * ax.stride + tx * ax.dilation - ax.padding;
            if (z < 0 || z >= az.from || y0 < 0 || y0 >= ay.from || x0 < 0 || x0 >= ax.from)
              continue;
            sum += channel[(z * ay.from + y0) * ax.from + x0] * *weight;
          }
    }
    y[index] = sum;
  }
};

/// dx[index] of a convolution: every product that its entry was a factor of.
template <class T>
struct InputGradientElements {
  WindowGeometry g;
  T const *dy, *kernel;
  T* dx;

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
    T sum = 0;
    for (std::int64_t o = first; o < first + g.group_filters(); ++o) {
      T const* const channel = dy + (n * g.filters + o) * g.positions();
      T const* weight = kernel + (o * depth + c % depth) * g.taps();
      for (std::int64_t tz = 0; tz < az.taps; ++tz)
        for (std::int64_t ty = 0; ty < ay.taps; ++ty)
          for (std::int64_t tx = 0; tx < ax.taps; ++tx, ++weight) {
            auto const z = position(az, iz, tz), y = position(ay, iy, ty), x = position(ax, ix, tx);
            if (z >= 0 && y >= 0 && x >= 0) sum += channel[(z * ay.to + y) * ax.to + x] * *weight;
          }
    }
    dx[index] = sum;
  }
};

/// dkernel[index] of a convolution: every product that its tap was a factor of.
template <class T>
struct KernelGradientElements {
  WindowGeometry g;
  T const *x, *dy;
  T* dkernel;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    auto const &az = g.axes[0], &ay = g.axes[1], &ax = g.axes[2];
    auto const tx = index % ax.taps, ty = index / ax.taps % ay.taps;
    auto const tz = index / (ax.taps * ay.taps) % az.taps;
    auto const row = index / g.taps(), d = row % g.depth(), o = row / g.depth();
    auto const c = o / g.group_filters() * g.depth() + d;
    T sum = 0;
    for (std::int64_t n = 0; n < g.samples; ++n) {
      T const* const channel = x + (n * g.channels + c) * g.entries();
      T const* gradient = dy + (n * g.filters + o) * g.positions();
      for (std::int64_t pz = 0; pz < az.to; ++pz)
        for (std::int64_t py = 0; py < ay.to; ++py)
          for (std::int64_t px = 0; px < ax.to; ++px, ++gradient) {
            auto const z = pz * az.stride + tz * az.dilation - az.padding;
            auto const y0 = py * ay.stride + ty * ay.dilation - ay.padding;
            auto const x0 = px * ax.stride + tx * ax.dilation - ax.padding;
            if (z < 0 || z >= az.from || y0 < 0 || y0 >= ay.from || x0 < 0 || x0 >= ax.from)
              continue;
            sum += channel[(z * ay.from + y0) * ax.from + x0] * *gradient;
          }
    }
    dkernel[index] = sum;
  }
};

/// Calls functor(i) for i < count on the device, or wherever kernels run.
template <class Functor>
void for_each_element(char const* name, std::int64_t count, Functor const& functor) {
  using Policy =
      Kokkos::RangePolicy<Kokkos::DefaultExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(name, Policy(0, count), functor);
}

}  // namespace lbann::kernels::kokkos
