// Maxima of windows of 2 x 2 entries side by side, the most frequent pooling: a register of windows
// of a row at a time.
#pragma once

#include <algorithm>

#include "kernels/host/pooling/pooling_windows.hpp"
#include "kernels/host/vector.hpp"

namespace lbann::kernels::host {

/// Up to lanes<T> of `count` neighbouring windows of a row: two entries of each of two lines.
template <class T>
class PairWindows {
 public:
  explicit PairWindows(std::int64_t count)
      : windows_(0, count), first_(0, 2 * count), rest_(0, 2 * count - lanes<T>) {}

  /// to[i] becomes the largest entry of window i.
  void largest(T const* upper, T const* lower, T* to) const {
    auto const [a, b] = load(upper);
    auto const [c, d] = load(lower);
    windows_.store(to, larger<T>(d, larger<T>(c, larger<T>(b, a))));
  }

  /// The first largest entry of window i gets gradient[i], others 0.
  void spread(T const* upper, T const* lower, T const* gradient, T* to_upper, T* to_lower) const {
    auto const [a, b] = load(upper);
    auto const [c, d] = load(lower);
    auto const value = windows_.load(gradient), none = Vector<T>{};
    auto const ab = larger<T>(b, a), abc = larger<T>(c, ab);
    auto const to_abc = d > abc ? none : value;
    auto const to_ab = c > ab ? none : to_abc;
    store(to_upper, {b > a ? none : to_ab, b > a ? to_ab : none});
    store(to_lower, {c > ab ? to_abc : none, d > abc ? value : none});
  }

 private:
  /// The left and the right entry of each window in a line.
  struct Line {
    Vector<T> left, right;
  };

  Line load(T const* from) const {
    auto const a = first_.load(from), b = rest_.load(from + lanes<T>);
    return {shuffle<EvenLanes, T>(a, b), shuffle<OddLanes, T>(a, b)};
  }
  void store(T* to, Line const& line) const {
    first_.store(to, shuffle<LowerHalves, T>(line.left, line.right));
    rest_.store(to + lanes<T>, shuffle<UpperHalves, T>(line.left, line.right));
  }

  LaneRange<T> windows_, first_, rest_;
};

/// Calls f(windows, entry, position) for all windows of a channel, a register of those of a row at
/// a time: `entry` is the first they see, on the upper line, `position` that of the first window.
template <class T, class F>
inline void for_each_pair_windows(WindowGeometry const& g, F const& f) {
  auto const width = g.axes[2].from, count = g.axes[2].to;
  for (std::int64_t p = 0; p < g.axes[1].to; ++p)
    for (std::int64_t i = 0; i < count; i += lanes<T>)
      f(PairWindows<T>(count - i), 2 * (p * width + i), p * count + i);
}

/// A channel of a sample for each index.
template <class T>
struct PairPooling {
  T const* x;
  T* y;
  WindowGeometry g;

  void operator()(std::int64_t plane) const {
    auto const width = g.axes[2].from;
    T const* const from = x + plane * g.entries();
    T* const to = y + plane * g.positions();
    for_each_pair_windows<T>(g, [&](auto const& windows, auto entry, auto position) {
      windows.largest(from + entry, from + entry + width, to + position);
    });
  }
};

/// The same of its gradient: every entry is written once, those that no window sees with 0.
template <class T>
struct PairPoolingGradient {
  T const* x;
  T const* dy;
  T* dx;
  WindowGeometry g;

  void operator()(std::int64_t plane) const {
    auto const width = g.axes[2].from, lines = 2 * g.axes[1].to;
    T const* const from = x + plane * g.entries();
    T const* const gradient = dy + plane * g.positions();
    T* const to = dx + plane * g.entries();
    for_each_pair_windows<T>(g, [&](auto const& windows, auto entry, auto position) {
      windows.spread(from + entry, from + entry + width, gradient + position, to + entry,
                     to + entry + width);
    });
    if (width % 2 != 0)
      for (std::int64_t line = 0; line < lines; ++line) to[(line + 1) * width - 1] = 0;
    std::fill(to + lines * width, to + g.entries(), T(0));
  }
};

}  // namespace lbann::kernels::host
