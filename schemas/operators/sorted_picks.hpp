// How a scatter sorts its picks where its output is larger than a cache.
#pragma once

#include <algorithm>
#include <optional>

#include "schemas/operators/rules.hpp"

namespace lbann::operators::rules {

/// Picks are sorted, `at_once` by themselves, by the range of places that each names, 1 << bits of
/// them, and in a range by their number.
struct SortedPicks {
  static constexpr std::int64_t at_once = 8192;
  int bits = 0;
  std::int64_t ranges = 1, parts = 0;  ///< of the places, of the picks

  /// For `batch` times `picks` of them: the sorted numbers, and where in them each range ends.
  std::int64_t bytes(std::int64_t batch, std::int64_t picks) const {
    return times(times(batch, plus(picks, times(parts, ranges + 1))), 2);
  }
};

/// For `picks` that name `count` places of `place_bytes` each. Nothing where a core's cache holds
/// all of these, and where a place is less than a cache line, of which others would then be moved.
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
