// Extents cut into parts that differ by at most one.
#pragma once

#include <cstdint>
#include <span>

namespace lbann {

/// Entries from `begin` on of an extent that is cut.
struct IndexRange {
  std::int64_t begin = 0;
  std::int64_t size = 0;
  constexpr std::int64_t end() const { return begin + size; }
  friend constexpr bool operator==(IndexRange const&, IndexRange const&) = default;
};

/// Part `index` of `parts` of an extent: the first `extent % parts` of them have one entry more.
constexpr IndexRange part_of(std::int64_t extent, std::int64_t parts, std::int64_t index) {
  auto const size = extent / parts, more = extent % parts;
  return {index * size + (index < more ? index : more), size + (index < more ? 1 : 0)};
}

/// What `rank` has of an extent that is cut over axes of these sizes one after the other: parts of
/// parts. Ranks are numbered row by row, the last axis fastest.
constexpr IndexRange nested_part(std::int64_t extent, std::span<std::int64_t const> sizes,
                                 std::int64_t rank) {
  std::int64_t inner = 1;
  for (auto const size : sizes) inner *= size;
  IndexRange part{0, extent};
  for (auto const size : sizes) {
    inner /= size;
    auto const next = part_of(part.size, size, rank / inner % size);
    part = {part.begin + next.begin, next.size};
  }
  return part;
}

}  // namespace lbann
