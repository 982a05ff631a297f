// Goes through the rows of a channel with the gradients of the results a row belongs to in
// registers.
#include "kernels/host/convolution/depthwise_weight_gradient.hpp"

#include <algorithm>

#include "kernels/host/convolution/depthwise.hpp"
#include "kernels/host/prefetch.hpp"
#include "kernels/shapes/division.hpp"
#include "kernels/tasks.hpp"

namespace lbann::kernels::host {

namespace {

/// Tasks that are enough for any machine; rows added in T before they go on in double.
constexpr std::int64_t enough_tasks = 32, rows_at_once = 256;

}  // namespace

template <class T>
bool DepthwiseWeightGradient<T>::suits(WindowGeometry const& g) {
  auto const& rows = g.axes[1];
  return is_depthwise(g) && are_even(g) && ring_of(rows) <= most_rings &&
         (rows.stride == 1 || rows.dilation == 1);
}

template <class T>
DepthwiseWeightGradient<T>::DepthwiseWeightGradient(WindowGeometry const& g)
    : geometry_(g), columns_(g.axes[2]) {
  at_once_ = ceil_divide(g.channels, enough_tasks);
  blocks_ = ceil_divide(g.channels, at_once_);
  parts_ = std::clamp<std::int64_t>(ceil_divide(enough_tasks, blocks_), 1,
                                    std::max<std::int64_t>(g.samples, 1));
}

template <class T>
std::int64_t DepthwiseWeightGradient<T>::scratch_elements() const {
  constexpr std::int64_t wide = sizeof(double), narrow = sizeof(T);
  return sums() * wide / narrow;
}

/// Row `row` of a window's rows, padding included, is tap row % row_step + i * row_step of result
/// row / row_step - i.
template <class T>
template <int step, int row_step, int ring, int taps, int blocks>
void DepthwiseWeightGradient<T>::sweep(T const* x, T const* dy, Ahead ahead, std::int64_t tap,
                                       std::int64_t block,
                                       Vector<T> (&parts)[row_step][ring][taps]) const {
  auto const rows = geometry_.axes[1], columns = geometry_.axes[2];
  auto const last = columns_.range(block + blocks - 1);
  typename ChannelColumns<T>::Seen seen[taps][blocks];
  for (int t = 0; t < taps; ++t)
    for (int b = 0; b < blocks; ++b) seen[t][b] = columns_.seen(block)[b * columns.taps + tap + t];
  Vector<T> sums[row_step][ring][taps][blocks] = {};
  for (std::int64_t first = 0; first < std::min(rows.dilation, rows.to); ++first) {
    auto const count = ceil_divide(rows.to - first, rows.dilation);
    auto const dy_step = rows.dilation * columns.to;
    T const* gradient = dy + first * columns.to + block * lanes<T>;
    Vector<T> held[ring][blocks] = {};
    auto const add_row = [&](T const* row, int r, auto const& is_there)
        __attribute__((always_inline)) {
#pragma GCC unroll 3
      for (int t = 0; t < taps; ++t)
#pragma GCC unroll 2
        for (int b = 0; b < blocks; ++b) {
          auto const numbers = see<step>(seen[t][b], row);
#pragma GCC unroll 8
          for (int i = 0; i < ring; ++i)
            if (is_there(i))
              sums[r][i][t][b] = multiply_add<T>(numbers, held[i][b], sums[r][i][t][b]);
        }
    };
    auto place = first - rows.padding;
    for (std::int64_t result = 0; result < count + ring - 1; ++result, gradient += dy_step) {
#pragma GCC unroll 8
      for (int i = ring - 1; i > 0; --i)
#pragma GCC unroll 2
        for (int b = 0; b < blocks; ++b) held[i][b] = held[i - 1][b];
#pragma GCC unroll 2
      for (int b = 0; b < blocks; ++b)
        held[0][b] = result >= count  ? Vector<T>{}
                     : b + 1 < blocks ? load_vector(gradient + b * lanes<T>)
                                      : last.load(gradient + b * lanes<T>);
      if (ahead.dy != 0 && result < count) prefetch(gradient + ahead.dy, blocks * lanes<T>);
#pragma GCC unroll 2
      for (int r = 0; r < row_step; ++r, place += rows.dilation) {
        if (place < 0 || place >= rows.from) continue;
        T const* const row = x + place * columns.from;
        if (ahead.x != 0)
          prefetch(row + ahead.x + block * lanes<T> * step, blocks * lanes<T> * step);
        if (result >= ring - 1 && result < count)
          add_row(row, r, [](int) { return true; });
        else
          add_row(row, r, [=](int i) { return result >= i && result - i < count; });
      }
    }
  }
#pragma GCC unroll 2
  for (int r = 0; r < row_step; ++r)
#pragma GCC unroll 8
    for (int i = 0; i < ring; ++i)
#pragma GCC unroll 3
      for (int t = 0; t < taps; ++t)
#pragma GCC unroll 2
        for (int b = 0; b < blocks; ++b) parts[r][i][t] += sums[r][i][t][b];
}

/// All rows of taps, `taps` of the last axis from `tap` on.
template <class T>
template <int step, int row_step, int ring, int taps>
void DepthwiseWeightGradient<T>::add_columns(T const* x, T const* dy, Ahead ahead, std::int64_t tap,
                                             double* sums) const {
  auto const &rows = geometry_.axes[1], &columns = geometry_.axes[2];
  Vector<T> parts[row_step][ring][taps] = {};
  std::int64_t added = 0;
  auto const finish = [&] {
    for (int r = 0; r < row_step; ++r)
      for (int i = 0; i < ring; ++i) {
        auto const row = r + i * row_step;
        for (int t = 0; t < taps; ++t)
          if (row < rows.taps)
            sums[row * columns.taps + tap + t] +=
                static_cast<double>(sum_of_lanes<T>(parts[r][i][t]));
        for (auto& part : parts[r][i]) part = Vector<T>{};
      }
    added = 0;
  };
  for_each_pair(columns_.blocks(), [&](std::int64_t block, auto blocks) {
    sweep<step, row_step, ring, taps, blocks>(x, dy, ahead, tap, block, parts);
    if ((added += rows.to) >= rows_at_once) finish();
  });
  if (added > 0) finish();
}

template <class T>
void DepthwiseWeightGradient<T>::add_plane(T const* x, T const* dy, Ahead ahead,
                                           double* sums) const {
  auto const &depth = geometry_.axes[0], &rows = geometry_.axes[1], &columns = geometry_.axes[2];
  auto const entries = rows.from * columns.from, positions = rows.to * columns.to;
  for (std::int64_t z = 0; z < depth.to; ++z)
    for (std::int64_t tap = 0; tap < depth.taps; ++tap) {
      auto const from = z * depth.stride + tap * depth.dilation - depth.padding;
      if (from < 0 || from >= depth.from) continue;
      auto const *seen = x + from * entries, *gradient = dy + z * positions;
      double* const mine = sums + tap * rows.taps * columns.taps;
      with_ring(ring_of(rows), [&](auto ring) {
        auto const add_steps = [&](auto taps, std::int64_t t) {
          auto const mine_ahead = t == 0 ? ahead : Ahead{0, 0};
          if (columns.stride == 1)
            add_columns<1, 1, ring, taps>(seen, gradient, mine_ahead, t, mine);
          else if (rows.stride == 2)
            add_columns<2, 2, ring, 1>(seen, gradient, mine_ahead, t, mine);
          else if constexpr (ring == 1)
            add_columns<2, 1, ring, 1>(seen, gradient, mine_ahead, t, mine);
        };
        // As many sums as there are registers for.
        constexpr int together = ring <= 3 ? 3 : 1;
        std::int64_t t = 0;
        for (; t + together <= columns.taps && columns.stride == 1; t += together)
          add_steps(std::integral_constant<int, together>(), t);
        for (; t < columns.taps; ++t) add_steps(std::integral_constant<int, 1>(), t);
      });
    }
}

template <class T>
void DepthwiseWeightGradient<T>::run(T const* x, T const* dy, T* dkernel, T* scratch) const {
  auto const& g = geometry_;
  auto const taps = g.taps(), entries = g.entries(), positions = g.positions();
  auto* const sums = reinterpret_cast<double*>(scratch);
  for_each_task(parts_ * blocks_, [&](std::int64_t task, std::int64_t) {
    auto const part = task / blocks_, first = task % blocks_ * at_once_;
    auto const last = std::min(g.channels, first + at_once_);
    double* const mine = sums + part * g.channels * taps;
    std::fill(mine + first * taps, mine + last * taps, 0.0);
    for (auto n = g.samples * part / parts_; n < g.samples * (part + 1) / parts_; ++n)
      for (auto c = first; c < last; ++c) {
        auto const plane = n * g.channels + c;
        // The next one lies in this sample or in the next.
        auto const next = c + 1 < last        ? 1
                          : n + 1 < g.samples ? g.channels - (last - first) + 1
                                              : 0;
        add_plane(x + plane * entries, dy + plane * positions, {next * entries, next * positions},
                  mine + c * taps);
      }
  });
  auto const kernel = g.channels * taps;
  for (std::int64_t i = 0; i < kernel; ++i) {
    double sum = 0;
    for (std::int64_t part = 0; part < parts_; ++part) sum += sums[part * kernel + i];
    dkernel[i] = static_cast<T>(sum);
  }
}

template class DepthwiseWeightGradient<float>;
template class DepthwiseWeightGradient<double>;

}  // namespace lbann::kernels::host
