// Pooling of small images: channels of samples in the lanes of registers, since rows do not fill
// them.
#pragma once

#include "kernels/host/pooling/window_registers.hpp"
#include "kernels/host/products/packing.hpp"

namespace lbann::kernels::host {

/// Channels of samples that are worked on together, each in a lane: `lanes<T>` of them for an
/// index.
template <class T>
struct PlanesInLanes {
  WindowGeometry g;
  operators::PoolMode mode;

  static constexpr std::int64_t most_entries = 400;

  std::int64_t planes() const { return g.samples * g.channels; }
  std::int64_t blocks() const { return (planes() + lanes<T> - 1) / lanes<T>; }

  static bool suits(WindowGeometry const& g, operators::PoolMode mode) {
    auto const whole = whole_windows(g.axes[2]);
    return g.entries() <= most_entries && g.positions() <= most_entries &&
           whole.last - whole.first < lanes<T> && g.samples * g.channels >= lanes<T> &&
           !are_global_means(g, mode);
  }

  /// Channels of block `block`, `entries` of each: to[entry][lane]; lanes without one are zero.
  void load(std::int64_t block, T const* from, std::int64_t entries, T* to) const {
    auto const count = std::min<std::int64_t>(lanes<T>, planes() - block * lanes<T>);
    if (count < lanes<T>) std::fill_n(to, entries * lanes<T>, T(0));
    transpose(from + block * lanes<T> * entries, entries, count, entries, to, lanes<T>);
  }
  void store(std::int64_t block, T const* from, std::int64_t entries, T* to) const {
    auto const count = std::min<std::int64_t>(lanes<T>, planes() - block * lanes<T>);
    transpose(from, lanes<T>, entries, count, to + block * lanes<T> * entries, entries);
  }

  /// Calls f(position, p0, p1, p2) for each window.
  template <class F>
  void for_each_window(F const& f) const {
    std::int64_t position = 0;
    for (std::int64_t p0 = 0; p0 < g.axes[0].to; ++p0)
      for (std::int64_t p1 = 0; p1 < g.axes[1].to; ++p1)
        for (std::int64_t p2 = 0; p2 < g.axes[2].to; ++p2) f(position++, p0, p1, p2);
  }

  /// What the mean of a window is divided by; `count` of its taps are inside.
  T divisor(std::int64_t count) const {
    return static_cast<T>(mode == operators::PoolMode::average ? g.taps()
                                                               : std::max<std::int64_t>(count, 1));
  }
};

template <class T>
struct PoolingInLanes {
  T const* x;
  T* y;
  PlanesInLanes<T> planes;

  void operator()(std::int64_t block) const {
    constexpr auto most = PlanesInLanes<T>::most_entries * lanes<T>;
    alignas(64) T from[most], to[most];
    auto const& g = planes.g;
    bool const is_largest = planes.mode == operators::PoolMode::max;
    planes.load(block, x, g.entries(), from);
    planes.for_each_window([&](auto position, auto p0, auto p1, auto p2) {
      std::int64_t count = 0;
      auto result = broadcast(is_largest ? lowest<T>() : T(0));
      for_each_entry(g, p0, p1, p2, [&](std::int64_t entry) {
        auto const next = load_vector(from + entry * lanes<T>);
        result = !is_largest ? result + next : count == 0 ? next : larger<T>(next, result);
        ++count;
      });
      if (!is_largest) result /= broadcast(planes.divisor(count));
      store_vector(to + position * lanes<T>, result);
    });
    planes.store(block, to, g.positions(), y);
  }
};

template <class T>
struct PoolingGradientInLanes {
  T const* x;
  T const* dy;
  T* dx;
  PlanesInLanes<T> planes;

  void operator()(std::int64_t block) const {
    constexpr auto most = PlanesInLanes<T>::most_entries * lanes<T>;
    alignas(64) T from[most], gradient[most], to[most];
    auto const& g = planes.g;
    planes.load(block, dy, g.positions(), gradient);
    std::fill_n(to, g.entries() * lanes<T>, T(0));
    auto const add = [&](std::int64_t entry, Vector<T> value) {
      store_vector(to + entry * lanes<T>, load_vector(to + entry * lanes<T>) + value);
    };
    if (planes.mode != operators::PoolMode::max) {
      planes.for_each_window([&](auto position, auto p0, auto p1, auto p2) {
        std::int64_t count = 0;
        for_each_entry(g, p0, p1, p2, [&](std::int64_t) { ++count; });
        auto const share =
            load_vector(gradient + position * lanes<T>) / broadcast(planes.divisor(count));
        for_each_entry(g, p0, p1, p2, [&](std::int64_t entry) { add(entry, share); });
      });
      return planes.store(block, to, g.entries(), dx);
    }
    planes.load(block, x, g.entries(), from);
    planes.for_each_window([&](auto position, auto p0, auto p1, auto p2) {
      // The first of the largest entries of a window gets all.
      Vector<T> largest{};
      Lanes<T> where{};
      bool fresh = true;
      for_each_entry(g, p0, p1, p2, [&](std::int64_t entry) {
        auto const next = load_vector(from + entry * lanes<T>);
        auto const place = Lanes<T>{} + static_cast<Place>(entry);
        auto const is_larger = next > largest;
        largest = fresh ? next : is_larger ? next : largest;
        where = fresh ? place : is_larger ? place : where;
        fresh = false;
      });
      auto const value = load_vector(gradient + position * lanes<T>);
      for_each_entry(g, p0, p1, p2, [&](std::int64_t entry) {
        add(entry, where == static_cast<Place>(entry) ? value : Vector<T>{});
      });
    });
    planes.store(block, to, g.entries(), dx);
  }

 private:
  using Place = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
};

}  // namespace lbann::kernels::host
