// Lays a channel out with its margins, sums what windows see of it in registers.
#include "kernels/kokkos/plane_windows.hpp"

#include <algorithm>

namespace lbann::kernels::kokkos {

namespace {

/// Copies `count` numbers, `step` apart here and `spread` there.
template <class T>
void copy_apart(T const* from, std::int64_t step, std::int64_t count, T* to, std::int64_t spread) {
  if (step == 1 && spread == 1) {
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) to[i] = from[i];
  } else if (step == 2) {
    for (std::int64_t i = 0; i < count; ++i) to[i * spread] = from[2 * i];
  } else {
    for (std::int64_t i = 0; i < count; ++i) to[i * spread] = from[i * step];
  }
}

}  // namespace

template <class T>
typename PlaneWindows<T>::Axis PlaneWindows<T>::forward(WindowAxis const& axis) {
  auto const reach = (axis.taps - 1) * axis.dilation;
  Axis plane{axis.from, axis.to, axis.padding, 1, axis.stride, 1, {}};
  plane.extent = std::max(axis.padding + axis.from, (axis.to - 1) * axis.stride + reach + 1);
  for (std::int64_t t = 0; t < axis.taps; ++t) plane.offsets.push_back(t * axis.dilation);
  return plane;
}

/// Entry i is tap t of position p where p * stride = i + padding - t * dilation: positions lie as
/// far apart as their windows, zeros between them.
template <class T>
typename PlaneWindows<T>::Axis PlaneWindows<T>::backward(WindowAxis const& axis) {
  auto const reach = (axis.taps - 1) * axis.dilation;
  auto const margin = std::max<std::int64_t>(0, reach - axis.padding);
  Axis plane{axis.to, axis.from, margin, axis.stride, 1, 1, {}};
  plane.extent = margin + std::max((axis.to - 1) * axis.stride + 1, axis.from + axis.padding);
  for (std::int64_t t = 0; t < axis.taps; ++t)
    plane.offsets.push_back(axis.padding + margin - t * axis.dilation);
  return plane;
}

template <class T>
bool PlaneWindows<T>::suits(WindowGeometry const& g) {
  double elements = 1;
  for (auto const& axis : g.axes)
    elements *= static_cast<double>(axis.from + 2 * axis.padding + axis.taps * axis.dilation +
                                    axis.to * axis.stride);
  return elements < INT32_MAX;
}

template <class T>
PlaneWindows<T>::PlaneWindows(WindowGeometry const& g, bool gradient) {
  for (int i = 0; i < 3; ++i) axes_[i] = gradient ? backward(g.axes[i]) : forward(g.axes[i]);
  auto const& [a, b, c] = axes_;
  neighbours_ = (c.extent + c.step - 1) / c.step;
  pitch_ = neighbours_ * c.step;
  sources_ = a.from * b.from * c.from;
  results_ = a.to * b.to * c.to;
  elements_ = a.extent * b.extent * pitch_ + lanes<T>;  // registers read past the end
  row_blocks_ = (c.to + lanes<T> - 1) / lanes<T>;
  last_lanes_ = (c.to - 1) % lanes<T> + 1;
  for (auto z : a.offsets)
    for (auto y : b.offsets)
      for (auto x : c.offsets)
        taps_.push_back(static_cast<std::int32_t>((z * b.extent + y) * pitch_ + column(x)));
  for (std::int64_t z = 0; z < a.to; ++z)
    for (std::int64_t y = 0; y < b.to; ++y)
      for (std::int64_t x = 0; x < c.to; x += lanes<T>)
        blocks_.push_back(
            {static_cast<std::int32_t>((z * a.step * b.extent + y * b.step) * pitch_ + x),
             static_cast<std::int32_t>((z * b.to + y) * c.to + x)});
}

template <class T>
std::int64_t PlaneWindows<T>::column(std::int64_t place) const {
  auto const step = axes_[2].step;
  return place % step * neighbours_ + place / step;
}

template <class T>
void PlaneWindows<T>::lay_out(T const* from, T* plane) const {
  auto const& [a, b, c] = axes_;
  for (std::int64_t z = 0; z < a.from; ++z)
    for (std::int64_t y = 0; y < b.from; ++y, from += c.from) {
      auto const row = (a.margin + z * a.spread) * b.extent + b.margin + y * b.spread;
      for (std::int64_t first = 0; first < std::min(c.step, c.from); ++first)
        copy_apart(from + first, c.step, (c.from - first + c.step - 1) / c.step,
                   plane + row * pitch_ + column(c.margin + first), c.spread);
    }
}

template <class T>
template <int count>
void PlaneWindows<T>::correlate_blocks(Block const* blocks, T const* plane, T const* weights,
                                       T* results) const {
  Vector<T> sums[count] = {};
  for (std::size_t t = 0; t < taps_.size(); ++t) {
    auto const weight = broadcast(weights[t]);
    T const* const seen = plane + taps_[t];
#pragma GCC unroll 8
    for (int i = 0; i < count; ++i)
      sums[i] = multiply_add<T>(load_vector(seen + blocks[i].seen), weight, sums[i]);
  }
#pragma GCC unroll 8
  for (int i = 0; i < count; ++i) store_vector(results + blocks[i].result, sums[i]);
}

template <class T>
void PlaneWindows<T>::correlate(T const* plane, T const* weights, T* results) const {
  // What a block writes past its row is overwritten by those behind it.
  constexpr std::size_t together = 8;
  std::size_t i = 0;
  for (; i + together <= blocks_.size(); i += together)
    correlate_blocks<together>(&blocks_[i], plane, weights, results);
  for (; i < blocks_.size(); ++i) correlate_blocks<1>(&blocks_[i], plane, weights, results);
}

template class PlaneWindows<float>;
template class PlaneWindows<double>;

}  // namespace lbann::kernels::kokkos
