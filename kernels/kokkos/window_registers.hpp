// Windows whose taps are all inside along the last axis, a register of neighbouring ones at a time.
#pragma once

#include <algorithm>
#include <utility>

#include "kernels/kokkos/pooling_windows.hpp"
#include "kernels/kokkos/vector.hpp"

namespace lbann::kernels::kokkos {

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

/// Calls f(begin) for blocks of a register's length that cover `positions`, at least as many; the
/// last one overlaps the one before it where they do not fit.
template <class T, class F>
inline void for_each_block(WholeWindows positions, F const& f) {
  auto const last = positions.last - lanes<T>;
  for (auto begin = positions.first; begin < last; begin += lanes<T>) f(begin);
  f(last);
}

namespace detail {

template <class T, int... i>
inline Vector<T> every_other(T const* from, std::integer_sequence<int, i...>) {
#if defined(__CUDACC__) || defined(__HIPCC__)
  return *from;
#else
  auto const a = load_vector(from), b = load_vector(from + lanes<T> - 1);
  return __builtin_shufflevector(a, b, (i < lanes<T> / 2 ? 2 * i : 2 * i + 1)...);
#endif
}

}  // namespace detail

/// Numbers that are `step`, 1 or 2, apart; nothing behind the last of them is read.
template <int step, class T>
inline Vector<T> load_apart(T const* from) {
  if constexpr (step == 1)
    return load_vector(from);
  else
    return detail::every_other(from, std::make_integer_sequence<int, lanes<T>>());
}

/// Whether the windows of a row can be taken so; then f(the stride of the last axis, as a constant)
/// was called.
template <class T, class F>
inline bool in_registers(WindowGeometry const& g, WholeWindows whole, F const& f) {
  if (whole.last - whole.first < lanes<T> || g.entries() >= INT32_MAX) return false;
  if (g.axes[2].stride == 1) return f(std::integral_constant<int, 1>()), true;
  if (g.axes[2].stride == 2) return f(std::integral_constant<int, 2>()), true;
  return false;
}

}  // namespace lbann::kernels::kokkos
