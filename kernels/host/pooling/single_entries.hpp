// Pooling with windows of one entry: entries that lie a stride apart, and back to their places.
#pragma once

#include "kernels/host/pooling/pooling_windows.hpp"

namespace lbann::kernels::host {

/// y[plane, p] = x[plane, stride p] for a plane, a channel of a sample.
template <class T>
struct PickSingleEntries {
  T const* x;
  T* y;
  WindowGeometry g;

  void operator()(std::int64_t plane) const {
    auto const &a = g.axes[0], &b = g.axes[1], &c = g.axes[2];
    T* __restrict__ to = y + plane * g.positions();
    for (std::int64_t p0 = 0; p0 < a.to; ++p0)
      for (std::int64_t p1 = 0; p1 < b.to; ++p1, to += c.to) {
        T const* const row =
            x + plane * g.entries() + (p0 * a.stride * b.from + p1 * b.stride) * c.from;
        with_step(g, [&](auto step) {
          for (std::int64_t p = 0; p < c.to; ++p) to[p] = row[p * step];
        });
      }
  }
};

/// dx[plane, stride p] = dy[plane, p], zeros elsewhere.
template <class T>
struct SpreadSingleEntries {
  T const* dy;
  T* dx;
  WindowGeometry g;

  void operator()(std::int64_t plane) const {
    auto const& [a, b, c] = g.axes;
    T* to = dx + plane * g.entries();
    for (std::int64_t i0 = 0; i0 < a.from; ++i0)
      for (std::int64_t i1 = 0; i1 < b.from; ++i1, to += c.from) {
        auto const p0 = a.position(i0, 0), p1 = b.position(i1, 0);
        if (p0 < 0 || p1 < 0)
          std::fill_n(to, c.from, T(0));
        else
          spread_row(dy + plane * g.positions() + (p0 * b.to + p1) * c.to, to);
      }
  }

 private:
  void spread_row(T const* row, T* __restrict__ to) const {
    auto const& axis = g.axes[2];
    std::int64_t done = 0;  // entries of windows that end inside, with what lies between them
    with_step(g, [&](auto step) {
      auto const whole = std::min<std::int64_t>(axis.to, axis.from / step);
      for (std::int64_t p = 0; p < whole; ++p) {
        to[p * step] = row[p];
        for (std::int64_t i = 1; i < step; ++i) to[p * step + i] = T(0);
      }
      done = whole * step;
    });
    std::fill(to + done, to + axis.from, T(0));
    if (done < (axis.to - 1) * axis.stride + 1) to[done] = row[axis.to - 1];
  }
};

}  // namespace lbann::kernels::host
