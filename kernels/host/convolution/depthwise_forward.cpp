// Goes through the rows of a channel with the sums of the results a row belongs to in registers.
#include "kernels/host/convolution/depthwise_forward.hpp"

#include <algorithm>

#include "kernels/host/prefetch.hpp"

namespace lbann::kernels::host {

template <class T>
bool DepthwiseForward<T>::suits(WindowGeometry const& g) {
  auto const &rows = g.axes[1], &columns = g.axes[2];
  return columns.stride <= 2 && ring_of(rows) <= most_rings &&
         (rows.stride == 1 || rows.dilation == 1);
}

template <class T>
DepthwiseForward<T>::DepthwiseForward(WindowGeometry const& g, bool reversed)
    : geometry_(g), columns_(g.axes[2]), direction_(reversed ? -1 : 1) {}

template <class T>
void DepthwiseForward<T>::run(T const* source, T const* weights, T* results, bool more) const {
  if (direction_ < 0) weights += geometry_.taps() - 1;
  if (geometry_.axes[2].stride == 1)
    run_step<1>(source, weights, results, more);
  else
    run_step<2>(source, weights, results, more);
}

template <class T>
template <int step>
void DepthwiseForward<T>::run_step(T const* source, T const* weights, T* results, bool more) const {
  auto const& [depth, rows, columns] = geometry_.axes;
  auto const plane = rows.from * columns.from, result = rows.to * columns.to;
  for (std::int64_t z = 0; z < depth.to; ++z) {
    bool add = false;
    for (std::int64_t t = 0; t < depth.taps; ++t) {
      auto const from = z * depth.stride + t * depth.dilation - depth.padding;
      if (from < 0 || from >= depth.from) continue;
      auto const* const mine = weights + direction_ * t * rows.taps * columns.taps;
      with_ring(ring_of(rows), [&](auto ring) {
        for_each_pair(columns_.blocks(), [&](std::int64_t block, auto blocks) {
          sweep<step, ring, blocks>(source + from * plane, mine, results + z * result, add, block,
                                    more);
        });
      });
      add = true;
    }
    if (!add) std::fill_n(results + z * result, result, T(0));
  }
}

/// Row `row` of a window's rows, padding included, is tap row % stride + i * stride of result
/// row / stride - i, whose sums are sums[i].
template <class T>
template <int step, int ring, int blocks>
void DepthwiseForward<T>::sweep(T const* source, T const* weights, T* results, bool add,
                                std::int64_t block, bool more) const {
  // Copies, for what is written in registers could be anything to a compiler.
  auto const rows = geometry_.axes[1], columns = geometry_.axes[2];
  auto const* const seen = columns_.seen(block);
  auto const source_ahead = (more ? geometry_.entries() : 0) + block * lanes<T> * step;
  auto const result_ahead = more ? geometry_.positions() : 0;
  LaneRange<T> const last = columns_.range(block + blocks - 1);
  auto const direction = direction_;
  auto const to_result_before = direction * rows.stride * columns.taps;  // from a weight
  // Results that are as far apart as windows' rows have no row in common with those between them.
  for (std::int64_t first = 0; first < std::min(rows.dilation, rows.to); ++first) {
    auto const count = (rows.to - first + rows.dilation - 1) / rows.dilation;
    auto const result_step = rows.dilation * columns.to;
    T *to = results + first * columns.to + block * lanes<T>, *next = to;
    Vector<T> sums[ring][blocks] = {};
    std::int64_t begun = 0;
    auto const begin_result = [&]() __attribute__((always_inline)) {
      bool const has_more = add && begun < count;
#pragma GCC unroll 2
      for (int b = 0; b < blocks; ++b)
        sums[0][b] = !has_more        ? Vector<T>{}
                     : b + 1 < blocks ? load_vector(next + b * lanes<T>)
                                      : last.load(next + b * lanes<T>);
      next += result_step;
      ++begun;
    };
    auto const add_row = [&](auto active, T const* row, std::int64_t tap_row)
        __attribute__((always_inline)) {
      T const* weight = weights + direction * tap_row * columns.taps;
      for (std::int64_t t = 0; t < columns.taps; ++t, weight += direction) {
        Vector<T> numbers[blocks];
#pragma GCC unroll 2
        for (int b = 0; b < blocks; ++b) numbers[b] = see<step>(seen[b * columns.taps + t], row);
#pragma GCC unroll 8
        for (int i = 0; i < decltype(active)::value; ++i) {
          auto const factor = broadcast(weight[i * to_result_before]);
#pragma GCC unroll 2
          for (int b = 0; b < blocks; ++b)
            sums[i][b] = multiply_add<T>(numbers[b], factor, sums[i][b]);
        }
      }
    };
    auto const end = (count - 1) * rows.stride + rows.taps;
    auto const last_tap = (rows.taps - 1) % rows.stride;
    std::int64_t tap_row = 0, place = first - rows.padding;
    begin_result();
    for (std::int64_t row = 0; row < end; ++row, place += rows.dilation) {
      if (place >= 0 && place < rows.from) {
        T const* const line = source + place * columns.from;
        prefetch_to_l1(line + source_ahead, blocks * lanes<T> * step);
        if (tap_row + (ring - 1) * rows.stride < rows.taps)
          add_row(std::integral_constant<int, ring>(), line, tap_row);
        else if constexpr (ring > 1)
          add_row(std::integral_constant<int, ring - 1>(), line, tap_row);
      }
      if (tap_row == last_tap && row + 1 >= rows.taps) {
        prefetch_for_write(to + result_ahead, blocks * lanes<T>);
#pragma GCC unroll 2
        for (int b = 0; b + 1 < blocks; ++b) store_vector(to + b * lanes<T>, sums[ring - 1][b]);
        last.store(to + (blocks - 1) * lanes<T>, sums[ring - 1][blocks - 1]);
        to += result_step;
      }
      if (++tap_row < rows.stride) continue;
      tap_row = 0;
#pragma GCC unroll 8
      for (int i = ring - 1; i > 0; --i)
#pragma GCC unroll 2
        for (int b = 0; b < blocks; ++b) sums[i][b] = sums[i - 1][b];
      begin_result();
    }
  }
}

template class DepthwiseForward<float>;
template class DepthwiseForward<double>;

}  // namespace lbann::kernels::host
