// Scratch layout of a scatter that sorts its indices, for outputs larger than a cache.
#pragma once

#include <algorithm>
#include <optional>

#include "schemas/operators/rules.hpp"

namespace lbann::operators::rules {

/// The indices of a scatter are cut into parts of `at_once`, and each part is sorted by the range
/// of output entries (1 << bits of them) that an index falls into, stably. Adding up range by range
/// then keeps the output entries being written in a core's cache.
struct SortedPicks {
  static constexpr std::int64_t at_once = 8192;
  int bits = 0;
  std::int64_t ranges = 1, parts = 0;  ///< of the output entries, of the indices

  /// Scratch for `batch` times `picks` indices: their positions in sorted order, and the end of
  /// each range in them.
  std::int64_t bytes(std::int64_t batch, std::int64_t picks) const {
    auto const numbers = times(batch, plus(picks, times(parts, ranges + 1)));
    return times(plus(numbers, 31) / 32, 64);  // whole cache lines
  }
  /// Of the output entries of a range, and whether each is named, in whole cache lines.
  std::int64_t range_bytes(std::int64_t place_bytes) const {
    return plus(times(std::int64_t{1} << bits, plus(place_bytes, 1)), 63) / 64 * 64;
  }
};

/// For `picks` indices into `count` output entries of `place_bytes` bytes each. Nothing if sorting
/// does not pay: all entries fit into a core's cache, or an entry is smaller than a cache line.
inline std::optional<SortedPicks> sorted_picks(std::int64_t count, std::int64_t place_bytes,
                                               std::int64_t picks) {
  constexpr std::int64_t line = 64, cached = std::int64_t{1} << 20, most_ranges = 4096, shares = 32;
  constexpr std::int64_t range_bytes = std::int64_t{32} << 10;
  auto const bytes = times(count, place_bytes);
  if (place_bytes < line || count < shares || bytes <= cached) return {};
  SortedPicks sorted;
  auto const ranges_of = [&](int bits) { return ((count - 1) >> bits) + 1; };
  while (ranges_of(sorted.bits) > most_ranges || place_bytes <= range_bytes >> (sorted.bits + 1))
    ++sorted.bits;
  sorted.ranges = ranges_of(sorted.bits);
  sorted.parts = picks / SortedPicks::at_once + (picks % SortedPicks::at_once != 0 ? 1 : 0);
  return sorted;
}

}  // namespace lbann::operators::rules
