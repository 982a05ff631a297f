// Windows whose taps are all inside along the last axis, computed a register of neighbouring
// positions at a time.
#pragma once

#include <algorithm>
#include <utility>

#include "kernels/host/pooling/pooling_windows.hpp"
#include "kernels/host/vector.hpp"

namespace lbann::kernels::host {

/// Positions [first, last) of an axis whose taps are all inside.
struct WholeWindows {
  std::int64_t first = 0, last = 0;
};

inline WholeWindows whole_windows(WindowAxis const& axis) {
  auto const first = std::min((axis.padding + axis.stride - 1) / axis.stride, axis.to);
  auto const end = axis.from + axis.padding - axis.taps;
  auto const last = end < 0 ? 0 : std::min(end / axis.stride + 1, axis.to);
  return {first, std::max(first, last)};
}

/// Calls f(begin) for blocks of `lanes<T>` positions that cover `positions`, of which there are at
/// least as many; the last block is shifted back to end with the last position.
template <class T, class F>
inline void for_each_block(WholeWindows positions, F const& f) {
  auto const last = positions.last - lanes<T>;
  for (auto begin = positions.first; begin < last; begin += lanes<T>) f(begin);
  f(last);
}

namespace detail {

template <class T, int... i>
inline Vector<T> every_other(T const* from, std::integer_sequence<int, i...>) {
  auto const a = load_vector(from), b = load_vector(from + lanes<T> - 1);
  return __builtin_shufflevector(a, b, (i < lanes<T> / 2 ? 2 * i : 2 * i + 1)...);
}

}  // namespace detail

/// Loads lanes<T> numbers that are `step`, 1 or 2, apart; reads nothing beyond the last of them.
template <int step, class T>
inline Vector<T> load_strided(T const* from) {
  if constexpr (step == 1)
    return load_vector(from);
  else
    return detail::every_other(from, std::make_integer_sequence<int, lanes<T>>());
}

/// Calls f(the stride of the last axis, as a constant) and returns true if the windows of a row can
/// be computed a register at a time; else does nothing and returns false.
template <class T, class F>
inline bool try_in_registers(WindowGeometry const& g, WholeWindows whole, F const& f) {
  if (whole.last - whole.first < lanes<T> || g.entries() >= INT32_MAX) return false;
  if (g.axes[2].stride == 1) return f(std::integral_constant<int, 1>()), true;
  if (g.axes[2].stride == 2) return f(std::integral_constant<int, 2>()), true;
  return false;
}

}  // namespace lbann::kernels::host
