// CPU kernel of pooling_gradient: a channel of a sample for each index, of small images a register
// of them.
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
struct PoolingGradient {
  T const* x;
  T const* dy;
  T* dx;
  WindowGeometry g;
  PoolMode mode;
  bool global_means;  ///< each of a whole channel

  void operator()(std::int64_t plane) const {
    T const* const from = x + plane * g.entries();
    T const* const gradient = dy + plane * g.positions();
    T* const to = dx + plane * g.entries();
    if (global_means) {
      T const share = *gradient / static_cast<T>(g.taps());
      for (std::int64_t i = 0; i < g.entries(); ++i) to[i] = share;
      return;
    }
    for (std::int64_t i = 0; i < g.entries(); ++i) to[i] = 0;
    auto const width = g.axes[2].to;
    std::int64_t position = 0;
    for (std::int64_t p0 = 0; p0 < g.axes[0].to; ++p0)
      for (std::int64_t p1 = 0; p1 < g.axes[1].to; ++p1, position += width) {
        if (!are_short(g)) {
          auto const ahead = row_ahead(plane, p1);
          auto const whole = whole_windows(g.axes[2]);
          if (mode != PoolMode::max || !try_in_registers<T>(g, whole, [&](auto step) {
                spread_in_registers<step>(from, gradient + position, to, p0, p1, whole, ahead);
              })) {
            prefetch_both(from, to, ahead.first, ahead.last);
            spread_row(from, gradient + position, to, p0, p1);
          }
          continue;
        }
        for (std::int64_t p2 = 0; p2 < width; ++p2)
          spread(from, gradient[position + p2], to, p0, p1, p2);
      }
  }

  /// Entries of the next channel that are prefetched while a row of windows is worked on, counted
  /// from `from`.
  struct Ahead {
    std::int64_t first = 0, last = 0;
  };

  /// What the same row of windows of the next channel reads and writes.
  Ahead row_ahead(std::int64_t plane, std::int64_t p1) const {
    if (g.axes[0].to > 1 || plane + 1 == g.samples * g.channels) return {};
    auto const lines = g.axes[1].stride * g.axes[2].from, first = p1 * lines;
    return {g.entries() + std::min(first, g.entries()),
            g.entries() + std::min(first + lines, g.entries())};
  }

  void prefetch_both(T const* from, T* to, std::int64_t first, std::int64_t last) const {
    prefetch(from + first, last - first);
    prefetch_for_write(to + first, last - first);
  }

  /// Positions in their order, those of whole windows a register at a time.
  template <int step>
  void spread_in_registers(T const* from, T const* gradient, T* to, std::int64_t p0,
                           std::int64_t p1, WholeWindows whole, Ahead ahead) const {
    using Place = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    for (std::int64_t p = 0; p < whole.first; ++p) spread(from, gradient[p], to, p0, p1, p);
    Place apart[lanes<T>];
    for (int i = 0; i < lanes<T>; ++i) apart[i] = static_cast<Place>(i) * step;
    auto const places = load_vector(apart);
    auto done = whole.first;
    // A block's share at a time: all at once, the prefetches would delay this row's own loads.
    auto const blocks = (whole.last - whole.first + lanes<T> - 1) / lanes<T>;
    auto const share = (ahead.last - ahead.first + blocks - 1) / blocks;
    for_each_block<T>(whole, [&](std::int64_t begin) {
      prefetch_both(from, to, ahead.first, std::min(ahead.first + share, ahead.last));
      ahead.first = std::min(ahead.first + share, ahead.last);
      Vector<T> largest{};
      Vector<Place> where{};
      bool fresh = true;
      for_each_line(g, p0, p1, [&](std::int64_t line) {
        auto const entry = line + begin * step - g.axes[2].padding;
        for (std::int64_t t = 0; t < g.axes[2].taps; ++t) {
          auto const next = load_strided<step>(from + entry + t);
          auto const place = places + static_cast<Place>(entry + t);
          auto const larger = next > largest;
          largest = fresh ? next : larger ? next : largest;
          where = fresh ? place : larger ? place : where;
          fresh = false;
        }
      });
      if (fresh) return;
      Place found[lanes<T>];
      store_vector(found, where);
      T* __restrict__ const sums = to;
      if (done == begin) {
#pragma GCC unroll 16
        for (int i = 0; i < lanes<T>; ++i) sums[found[i]] += gradient[begin + i];
      } else {
        for (auto i = done - begin; i < lanes<T>; ++i) sums[found[i]] += gradient[begin + i];
      }
      done = begin + lanes<T>;
    });
    for (auto p = whole.last; p < g.axes[2].to; ++p) spread(from, gradient[p], to, p0, p1, p);
  }

  void spread_row(T const* from, T const* gradient, T* to, std::int64_t p0, std::int64_t p1) const {
    for (std::int64_t begin = 0; begin < g.axes[2].to; begin += row_piece)
      spread_piece(from, gradient, to, p0, p1, begin, std::min(begin + row_piece, g.axes[2].to));
  }

  /// Positions [begin, end) of a row, all of them at each tap.
  void spread_piece(T const* from, T const* gradient, T* to, std::int64_t p0, std::int64_t p1,
                    std::int64_t begin, std::int64_t end) const {
    if (mode == PoolMode::max) {
      T largest[row_piece];
      std::int64_t where[row_piece];
      std::fill_n(where, end - begin, std::int64_t{-1});
      for_each_tap(g, p0, p1, begin, end, [&](TapOfRow const& tap) {
        with_step(g, [&](auto step) {
          for (auto p = tap.first; p < tap.fresh; ++p) {
            largest[p - begin] = from[tap.entry + p * step];
            where[p - begin] = tap.entry + p * step;
          }
          for (auto p = tap.fresh; p < tap.last; ++p) {
            T const value = from[tap.entry + p * step];
            bool const larger = value > largest[p - begin];
            largest[p - begin] = larger ? value : largest[p - begin];
            where[p - begin] = larger ? tap.entry + p * step : where[p - begin];
          }
        });
      });
      for (auto p = begin; p < end; ++p)
        if (where[p - begin] >= 0) to[where[p - begin]] += gradient[p];
      return;
    }
    auto const rows = for_each_tap(g, p0, p1, begin, end, [](TapOfRow const&) {});
    T share[row_piece];
    for (auto p = begin; p < end; ++p) {
      auto const count = mode == PoolMode::average ? g.taps() : rows * taps_inside(g.axes[2], p);
      share[p - begin] = count == 0 ? T(0) : gradient[p] / static_cast<T>(count);
    }
    for_each_tap(g, p0, p1, begin, end, [&](TapOfRow const& tap) {
      with_step(g, [&](auto step) {
        for (auto p = tap.first; p < tap.last; ++p) to[tap.entry + p * step] += share[p - begin];
      });
    });
  }

  void spread(T const* from, T gradient, T* to, std::int64_t p0, std::int64_t p1,
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

WindowGeometry geometry_of_call(Call const& call) {
  return pooling_geometry(std::get<operators::pooling_gradient>(*call.op), call.inputs[0],
                          call.inputs[1]);
}

bool accepts(Call const& call) {
  return one_type(call) || (call.inputs[1].type == call.outputs[0].type &&
                            are_single_entries(geometry_of_call(call)));
}

}  // namespace

Implementation pooling_gradient_kernel() {
  return {"host", accepts, [](Call const& call) {
            auto const& op = std::get<operators::pooling_gradient>(*call.op);
            auto const& x = call.inputs[0];
            auto const& dy = call.inputs[1];
            auto const g = geometry_of_call(call);
            auto const planes = g.samples * g.channels;
            if (are_single_entries(g))
              return with_unit(bytes_of(dy.type), [&](auto bits) -> std::unique_ptr<Kernel> {
                using T = decltype(bits);
                auto const cost = 0.5 * static_cast<double>(planes * g.entries());
                return functor_kernel(
                    planes, cost, SpreadSingleEntries<T>{dy.as<T>(), call.outputs[0].as<T>(), g});
              });
            return with_floating(x.type, [&](auto zero) -> std::unique_ptr<Kernel> {
              using T = decltype(zero);
              auto* const dx = call.outputs[0].as<T>();
              if (are_plane_means<T>(g, op.mode, true))
                return std::make_unique<PoolingMeansGradient<T>>(
                    dy.as<T>(), dx, reinterpret_cast<T*>(call.scratch.data()), g, op.mode);
              if (are_pairs(g, op.mode))
                return functor_kernel(planes, pooling_cost(g) * static_cast<double>(planes),
                                      PairPoolingGradient<T>{x.as<T>(), dy.as<T>(), dx, g});
              if (PlanesInLanes<T>::suits(g, op.mode)) {
                PlanesInLanes<T> const in_lanes{g, op.mode};
                return functor_kernel(
                    in_lanes.blocks(), pooling_cost(g) * static_cast<double>(planes),
                    PoolingGradientInLanes<T>{x.as<T>(), dy.as<T>(), dx, in_lanes});
              }
              return functor_kernel(planes, pooling_cost(g) * static_cast<double>(planes),
                                    PoolingGradient<T>{x.as<T>(), dy.as<T>(), dx, g, op.mode,
                                                       are_global_means(g, op.mode)});
            });
          }};
}

}  // namespace lbann::kernels::host
