// CPU kernel of pooling: a row of windows for each index, or of small images a register of
// channels.
#include "kernels/host/pooling/channel_means.hpp"
#include "kernels/host/pooling/pair_windows.hpp"
#include "kernels/host/pooling/planes_in_lanes.hpp"
#include "kernels/host/pooling/pooling_means.hpp"
#include "kernels/host/pooling/pooling_windows.hpp"
#include "kernels/host/pooling/single_entries.hpp"
#include "kernels/host/pooling/window_registers.hpp"
#include "kernels/host/prefetch.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::host {

namespace {

using operators::PoolMode;

template <class T>
struct Pooling {
  T const* x;
  T* y;
  WindowGeometry g;
  PoolMode mode;

  void operator()(std::int64_t row) const {
    auto const rows = g.axes[0].to * g.axes[1].to;
    auto const plane = row / rows, inside = row % rows;
    auto const p0 = inside / g.axes[1].to, p1 = inside % g.axes[1].to;
    T const* const from = x + plane * g.entries();
    T* const to = y + row * g.axes[2].to;
    if (!are_short(g)) {
      prefetch_rows_ahead(row, p1, from, to);
      auto const whole = whole_windows(g.axes[2]);
      if (mode == PoolMode::max && try_in_registers<T>(g, whole, [&](auto step) {
            largest_of_row<step>(from, p0, p1, whole, to);
          }))
        return;
      return pool_row(from, p0, p1, to);
    }
    for (std::int64_t p2 = 0; p2 < g.axes[2].to; ++p2) to[p2] = pooled(from, p0, p1, p2);
  }

  /// Prefetches what the row of windows `rows_ahead` after this one reads and writes.
  void prefetch_rows_ahead(std::int64_t row, std::int64_t p1, T const* from, T* to) const {
    if (row + rows_ahead >= g.samples * g.channels * g.axes[0].to * g.axes[1].to) return;
    auto const line = std::max<std::int64_t>(p1 * g.axes[1].stride - g.axes[1].padding, 0);
    auto const lines = g.axes[1].stride * g.axes[2].from;
    prefetch(from + line * g.axes[2].from + rows_ahead * lines, lines);
    prefetch_for_write(to + rows_ahead * g.axes[2].to, g.axes[2].to);
  }
  static constexpr std::int64_t rows_ahead = 16;

  template <int step>
  void largest_of_row(T const* from, std::int64_t p0, std::int64_t p1, WholeWindows whole,
                      T* to) const {
    for (std::int64_t p = 0; p < whole.first; ++p) to[p] = largest_at_edge(from, p0, p1, p);
    for_each_block<T>(whole, [&](std::int64_t begin) {
      Vector<T> largest = broadcast(lowest<T>());
      bool fresh = true;
      for_each_line(g, p0, p1, [&](std::int64_t line) {
        T const* const entries = from + line + begin * step - g.axes[2].padding;
        for (std::int64_t t = 0; t < g.axes[2].taps; ++t) {
          auto const next = load_strided<step>(entries + t);
          largest = fresh ? next : larger<T>(next, largest);
          fresh = false;
        }
      });
      store_vector(to + begin, largest);
    });
    for (auto p = whole.last; p < g.axes[2].to; ++p) to[p] = largest_at_edge(from, p0, p1, p);
  }

  T largest_at_edge(T const* from, std::int64_t p0, std::int64_t p1, std::int64_t p) const {
    auto const begin = p * g.axes[2].stride - g.axes[2].padding;
    auto const first = std::max<std::int64_t>(begin, 0);
    auto const last = std::min(begin + g.axes[2].taps, g.axes[2].from);
    T largest = lowest<T>();
    bool fresh = true;
    for_each_line(g, p0, p1, [&](std::int64_t line) {
      for (auto i = first; i < last; ++i) {
        T const next = from[line + i];
        largest = fresh || next > largest ? next : largest;
        fresh = false;
      }
    });
    return largest;
  }

  /// Tap after tap, all positions of the row at each.
  void pool_row(T const* from, std::int64_t p0, std::int64_t p1, T* __restrict__ to) const {
    bool const largest = mode == PoolMode::max;
    std::fill_n(to, g.axes[2].to, largest ? lowest<T>() : T(0));
    auto const rows = for_each_tap(g, p0, p1, 0, g.axes[2].to, [&](TapOfRow const& tap) {
      with_step(g, [&](auto step) {
        T const* const line = from + tap.entry;
        if (largest) {
          for (auto p = tap.first; p < tap.fresh; ++p) to[p] = line[p * step];
          for (auto p = tap.fresh; p < tap.last; ++p)
            to[p] = line[p * step] > to[p] ? line[p * step] : to[p];
        } else {
          for (auto p = tap.first; p < tap.last; ++p) to[p] += line[p * step];
        }
      });
    });
    if (largest) return;
    for (std::int64_t p = 0; p < g.axes[2].to; ++p) {
      auto const count = mode == PoolMode::average ? g.taps() : rows * taps_inside(g.axes[2], p);
      to[p] = count == 0 ? T(0) : to[p] / static_cast<T>(count);
    }
  }

  T pooled(T const* from, std::int64_t p0, std::int64_t p1, std::int64_t p2) const {
    T sum = 0, largest = lowest<T>();
    std::int64_t count = 0;
    for_each_entry(g, p0, p1, p2, [&](std::int64_t entry) {
      auto const value = from[entry];
      sum += value;
      if (count++ == 0 || value > largest) largest = value;
    });
    if (mode == PoolMode::max) return largest;
    if (mode == PoolMode::average) return sum / static_cast<T>(g.taps());
    return count == 0 ? T(0) : sum / static_cast<T>(count);
  }
};

WindowGeometry geometry_of_call(Call const& call) {
  return pooling_geometry(std::get<operators::pooling>(*call.op), call.inputs[0], call.outputs[0]);
}

bool accepts(Call const& call) {
  return one_type(call) || (call.inputs[0].type == call.outputs[0].type &&
                            are_single_entries(geometry_of_call(call)));
}

}  // namespace

Implementation pooling_kernel() {
  return {
      "host", accepts, [](Call const& call) {
        auto const& op = std::get<operators::pooling>(*call.op);
        auto const& x = call.inputs[0];
        auto const& y = call.outputs[0];
        auto const g = geometry_of_call(call);
        auto const channels = g.samples * g.channels;
        auto const cost = pooling_cost(g) * static_cast<double>(channels);
        if (are_single_entries(g))
          return with_unit(bytes_of(x.type), [&](auto bits) -> std::unique_ptr<Kernel> {
            using T = decltype(bits);
            return functor_kernel(channels, cost, PickSingleEntries<T>{x.as<T>(), y.as<T>(), g});
          });
        return with_floating(x.type, [&](auto zero) -> std::unique_ptr<Kernel> {
          using T = decltype(zero);
          auto const* const from = x.as<T>();
          auto* const to = y.as<T>();
          if (are_global_means(g, op.mode)) {
            ChannelMeans<T> const means{from, to, channels, g.entries()};
            return functor_kernel(means.blocks(), cost, means);
          }
          if (are_plane_means<T>(g, op.mode, false))
            return std::make_unique<PoolingMeans<T>>(from, to, g, op.mode);
          if (are_pairs(g, op.mode))
            return functor_kernel(channels, cost, PairPooling<T>{from, to, g});
          if (PlanesInLanes<T>::suits(g, op.mode)) {
            PlanesInLanes<T> const planes{g, op.mode};
            return functor_kernel(planes.blocks(), cost, PoolingInLanes<T>{from, to, planes});
          }
          return functor_kernel(channels * g.axes[0].to * g.axes[1].to, cost,
                                Pooling<T>{from, to, g, op.mode});
        });
      }};
}

}  // namespace lbann::kernels::host
