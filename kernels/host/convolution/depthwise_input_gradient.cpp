// Goes through the rows of a gradient with the sums of the rows it spreads to in registers.
#include "kernels/host/convolution/depthwise_input_gradient.hpp"

#include <algorithm>

#include "kernels/host/prefetch.hpp"

namespace lbann::kernels::host {

template <class T>
bool DepthwiseInputGradient<T>::suits(WindowGeometry const& g) {
  auto const& rows = g.axes[1];
  return are_even(g) && rows.taps <= most_rings && rows.dilation == 1;
}

/// Entry i is tap t of position p where p * stride = i + padding - t * dilation.
template <class T>
DepthwiseInputGradient<T>::DepthwiseInputGradient(WindowGeometry const& g) : geometry_(g) {
  constexpr std::int64_t n = lanes<T>;
  auto const& axis = g.axes[2];
  blocks_ = (axis.from + n * axis.stride - 1) / (n * axis.stride);
  for (std::int64_t block = 0; block < blocks_; ++block)
    for (std::int64_t remainder = 0; remainder < axis.stride; ++remainder) {
      begins_.push_back(static_cast<std::int64_t>(seen_.size()));
      for (std::int64_t tap = 0; tap < axis.taps; ++tap) {
        auto const distance = remainder + axis.padding - tap * axis.dilation;
        if (distance % axis.stride != 0) continue;
        auto const begin = block * n + distance / axis.stride;
        seen_.push_back({begin, tap, LaneRange<T>(-begin, axis.to - begin)});
      }
    }
  begins_.push_back(static_cast<std::int64_t>(seen_.size()));
}

template <class T>
void DepthwiseInputGradient<T>::run(T const* dy, T const* weights, T* dx, bool more) const {
  auto const &depth = geometry_.axes[0], &rows = geometry_.axes[1], &columns = geometry_.axes[2];
  auto const entries = rows.from * columns.from, positions = rows.to * columns.to;
  for (std::int64_t z = 0; z < depth.from; ++z) {
    bool add = false;
    for (std::int64_t tap = 0; tap < depth.taps; ++tap) {
      auto const begin = z + depth.padding - tap * depth.dilation;
      if (begin < 0 || begin % depth.stride != 0 || begin / depth.stride >= depth.to) continue;
      T const* const from = dy + begin / depth.stride * positions;
      T const* const mine = weights + tap * rows.taps * columns.taps;
      T* const to = dx + z * entries;
      with_ring(rows.taps, [&](auto ring) {
        for (std::int64_t block = 0; block < blocks_; ++block)
          if (columns.stride == 1)
            sweep<1, 1, ring>(from, mine, to, add, block, more);
          else if (rows.stride == 2)
            sweep<2, 2, ring>(from, mine, to, add, block, more);
          else if constexpr (ring == 1)
            sweep<2, 1, ring>(from, mine, to, add, block, more);
      });
      add = true;
    }
    if (!add) std::fill_n(dx + z * entries, entries, T(0));
  }
}

/// Row p of dy spreads to rows p * row_step + i - padding of dx, whose sums are sums[i], at each
/// remainder of columns modulo `step`.
template <class T>
template <int step, int row_step, int ring>
void DepthwiseInputGradient<T>::sweep(T const* dy, T const* weights, T* dx, bool add,
                                      std::int64_t block, bool more) const {
  constexpr std::int64_t n = lanes<T>;
  constexpr int held = ring > row_step ? ring : row_step;
  // Copies, for what is written in registers could be anything to a compiler.
  auto const rows = geometry_.axes[1], columns = geometry_.axes[2];
  auto const* const begins = begins_.data() + block * step;
  auto const* const seen = seen_.data();
  auto const at = block * step * n;
  LaneRange<T> const first(0, columns.from - at), second(0, columns.from - at - n);
  auto const dy_ahead = (more ? geometry_.positions() : 0) + block * n;
  auto const dx_ahead = (more ? geometry_.entries() : 0);
  Vector<T> sums[held][step] = {};
  T* to = dx + at - rows.padding * columns.from;
  for (std::int64_t p = 0, row = -rows.padding; row < rows.from; ++p) {
    if (p < rows.to) {
      T const* const line = dy + p * columns.to;
      prefetch(line + dy_ahead, n);
#pragma GCC unroll 2
      for (int remainder = 0; remainder < step; ++remainder)
        for (auto k = begins[remainder]; k < begins[remainder + 1]; ++k) {
          auto const numbers = seen[k].range.load(line + seen[k].begin);
          T const* const weight = weights + seen[k].tap;
#pragma GCC unroll 8
          for (int i = 0; i < ring; ++i)
            sums[i][remainder] =
                multiply_add<T>(numbers, broadcast(weight[i * columns.taps]), sums[i][remainder]);
        }
    }
#pragma GCC unroll 2
    for (int i = 0; i < row_step; ++i, ++row, to += columns.from) {
      if (row < 0 || row >= rows.from) continue;
      prefetch_for_write(to + dx_ahead, step * n);
      auto const put = [&](LaneRange<T> const& inside, T* place, Vector<T> result)
          __attribute__((always_inline)) {
        if (add) result += inside.load(place);
        inside.store(place, result);
      };
      if constexpr (step == 1) {
        put(first, to, sums[i][0]);
      } else {
        put(first, to, shuffle<LowerHalves, T>(sums[i][0], sums[i][1]));
        put(second, to + n, shuffle<UpperHalves, T>(sums[i][0], sums[i][1]));
      }
    }
#pragma GCC unroll 8
    for (int i = 0; i < held; ++i)
#pragma GCC unroll 2
      for (int remainder = 0; remainder < step; ++remainder)
        sums[i][remainder] = i + row_step < held
                                 ? sums[i + row_step < held ? i + row_step : 0][remainder]
                                 : Vector<T>{};
  }
}

template class DepthwiseInputGradient<float>;
template class DepthwiseInputGradient<double>;

}  // namespace lbann::kernels::host
