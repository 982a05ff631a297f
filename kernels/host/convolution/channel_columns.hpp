// Depthwise windows along the last axis, a register of neighbouring positions at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/host/vector.hpp"
#include "kernels/shapes/window_geometry.hpp"

namespace lbann::kernels::host {

/// The positions along the last axis in blocks of one register, the last block short, and the
/// entries of a row that each block reads for each tap, with zeros outside the row. The stride is 1
/// or 2.
template <class T>
class ChannelColumns {
 public:
  explicit ChannelColumns(WindowAxis const& axis) : taps_(axis.taps) {
    constexpr std::int64_t n = lanes<T>;
    for (std::int64_t p = 0; p < axis.to; p += n)
      for (std::int64_t t = 0; t < axis.taps; ++t) {
        auto const begin = p * axis.stride + t * axis.dilation - axis.padding;
        auto const count = (std::min(n, axis.to - p) - 1) * axis.stride + 1;
        auto const end = std::min(axis.from - begin, count);
        seen_.push_back({begin, LaneRange<T>(-begin, end), LaneRange<T>(-begin - n, end - n)});
      }
    blocks_ = (axis.to + n - 1) / n;
    last_ = LaneRange<T>(0, axis.to - (blocks_ - 1) * n);
  }

  std::int64_t blocks() const { return blocks_; }

  /// Positions of a block that exist.
  LaneRange<T> range(std::int64_t block) const {
    return block + 1 < blocks_ ? LaneRange<T>(0, lanes<T>) : last_;
  }

  /// The entries of a row that a block reads for a tap: those inside the row, of two registers from
  /// `begin` on (the second is used where the stride is 2).
  struct Seen {
    std::int64_t begin;
    LaneRange<T> first, second;
  };
  /// An array over the taps.
  Seen const* seen(std::int64_t block) const { return seen_.data() + block * taps_; }

 private:
  std::int64_t taps_ = 1, blocks_ = 0;
  std::vector<Seen> seen_;
  LaneRange<T> last_;
};

template <int stride, class T>
[[gnu::always_inline]] inline Vector<T> see(typename ChannelColumns<T>::Seen const& seen,
                                            T const* row) {
  auto const first = seen.first.load(row + seen.begin);
  if constexpr (stride == 1) return first;
  return shuffle<EvenLanes, T>(first, seen.second.load(row + seen.begin + lanes<T>));
}

/// How many rows of results a row of the source contributes to.
inline std::int64_t ring_of(WindowAxis const& rows) {
  return (rows.taps + rows.stride - 1) / rows.stride;
}

/// Whether the strides of rows and columns are equal, 1 or 2, or windows have a single row.
inline bool are_even(WindowGeometry const& g) {
  auto const &rows = g.axes[1], &columns = g.axes[2];
  return columns.stride <= 2 &&
         (rows.stride == columns.stride || (rows.taps == 1 && rows.stride == 1));
}

/// The most rows of results whose sums fit the registers.
inline constexpr int most_rings = 7;

/// Calls f(ring as a constant).
template <class F>
inline void with_ring(std::int64_t ring, F const& f) {
  [&]<int... i>(std::integer_sequence<int, i...>) {
    static_cast<void>(
        ((ring == i + 1 ? (f(std::integral_constant<int, i + 1>()), true) : false) || ...));
  }(std::make_integer_sequence<int, most_rings>());
}

/// Calls f(first block, number of blocks as a constant, 2 or 1) for all of `blocks`.
template <class F>
inline void for_each_pair(std::int64_t blocks, F const& f) {
  std::int64_t block = 0;
  for (; block + 2 <= blocks; block += 2) f(block, std::integral_constant<int, 2>());
  if (block < blocks) f(block, std::integral_constant<int, 1>());
}

}  // namespace lbann::kernels::host
