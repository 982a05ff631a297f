// Means of pooling windows and their gradients on a CPU, channel by channel, by depthwise
// convolution.
#pragma once

#include <vector>

#include "kernels/host/convolution/channel_windows.hpp"
#include "kernels/host/pooling/pooling_windows.hpp"

namespace lbann::kernels::host {

/// Taps that are counted in the window at each position, at least one.
template <class T>
std::vector<T> tap_counts(WindowGeometry const& g, operators::PoolMode mode) {
  std::vector<T> counts;
  for (std::int64_t z = 0; z < g.axes[0].to; ++z)
    for (std::int64_t y = 0; y < g.axes[1].to; ++y)
      for (std::int64_t x = 0; x < g.axes[2].to; ++x) {
        auto const inside =
            taps_inside(g.axes[0], z) * taps_inside(g.axes[1], y) * taps_inside(g.axes[2], x);
        auto const count = mode == operators::PoolMode::average ? g.taps() : inside;
        counts.push_back(static_cast<T>(std::max<std::int64_t>(count, 1)));
      }
  return counts;
}

/// Whether means are taken so.
template <class T>
bool are_plane_means(WindowGeometry const& g, operators::PoolMode mode, bool gradient) {
  return mode != operators::PoolMode::max && !are_global_means(g, mode) &&
         ChannelWindows<T>::suits(g, gradient);
}

/// y[p] = sum of the entries in the window at p / their count.
template <class T>
class PoolingMeans final : public Kernel {
 public:
  PoolingMeans(T const* x, T* y, WindowGeometry const& g, operators::PoolMode mode)
      : x_(x),
        y_(y),
        geometry_(g),
        windows_(g, false),
        counts_(tap_counts<T>(g, mode)),
        ones_(static_cast<std::size_t>(g.taps()), T(1)) {}

  void run() override {
    auto const planes = geometry_.samples * geometry_.channels;
    auto const entries = geometry_.entries(), positions = geometry_.positions();
    T const* const counts = counts_.data();
    auto const run_planes = [&](std::int64_t first, std::int64_t last, std::int64_t) {
      for (auto plane = first; plane < last; ++plane) {
        T* const y = y_ + plane * positions;
        windows_.run(x_ + plane * entries, ones_.data(), y, plane + 1 < last);
#pragma omp simd
        for (std::int64_t p = 0; p < positions; ++p) y[p] /= counts[p];
      }
    };
    for_each_planes(planes, planes_at_once(planes, planes, entries), run_planes);
  }

 private:
  T const* x_;
  T* y_;
  WindowGeometry geometry_;
  ChannelWindows<T> windows_;
  std::vector<T> counts_, ones_;
};

/// dx[i] = sum of dy[p] / count at p over the windows that i is in. Scratch: a plane of dy for each
/// worker.
template <class T>
class PoolingMeansGradient final : public Kernel {
 public:
  PoolingMeansGradient(T const* dy, T* dx, T* scratch, WindowGeometry const& g,
                       operators::PoolMode mode)
      : dy_(dy),
        dx_(dx),
        scratch_(scratch),
        geometry_(g),
        windows_(g, true),
        counts_(tap_counts<T>(g, mode)),
        ones_(static_cast<std::size_t>(g.taps()), T(1)) {}

  void run() override {
    auto const planes = geometry_.samples * geometry_.channels;
    auto const entries = geometry_.entries(), positions = geometry_.positions();
    T const* const counts = counts_.data();
    auto const run_planes = [&](std::int64_t first, std::int64_t last, std::int64_t worker) {
      T* const shares = scratch_ + worker * positions;
      for (auto plane = first; plane < last; ++plane) {
        T const* const dy = dy_ + plane * positions;
#pragma omp simd
        for (std::int64_t p = 0; p < positions; ++p) shares[p] = dy[p] / counts[p];
        windows_.run(shares, ones_.data(), dx_ + plane * entries, plane + 1 < last);
      }
    };
    for_each_planes(planes, planes_at_once(planes, planes, entries), run_planes);
  }

 private:
  T const* dy_;
  T *dx_, *scratch_;
  WindowGeometry geometry_;
  ChannelWindows<T> windows_;
  std::vector<T> counts_, ones_;
};

}  // namespace lbann::kernels::host
