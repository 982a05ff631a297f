// Two heuristics of placing buffers: along time with best fit, and by falling size.
#include "schemas/specialization/allocate.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "schemas/specialization/allocate_for_threads.hpp"
#include "schemas/specialization/along_time.hpp"
#include "schemas/specialization/passes.hpp"

namespace lbann {

namespace {

/// Beyond this many buffers comparing all pairs takes too long.
constexpr std::ptrdiff_t few_buffers = 1500;
/// What caches may still hold: the more is kept apart, the more room it takes. Where all buffers
/// are not several times as large, keeping them apart was measured to cost more than it saves.
constexpr std::int64_t recent_bytes[] = {64 << 20, 32 << 20}, least_times = 4;

/// Free memory as disjoint pieces, found by size and joined with their neighbours.
class FreeMemory {
 public:
  std::int64_t take(std::int64_t bytes) {
    auto const found = by_size_.lower_bound({bytes, 0});
    if (found == by_size_.end()) {
      // Grow, beginning with a free piece at the end if there is one.
      auto begin = end_;
      if (!by_offset_.empty()) {
        auto const last = std::prev(by_offset_.end());
        if (last->first + last->second == end_) {
          begin = last->first;
          remove(last);
        }
      }
      end_ = begin + bytes;
      return begin;
    }
    auto const [size, offset] = *found;
    remove(by_offset_.find(offset));
    if (size > bytes) add(offset + bytes, size - bytes);
    return offset;
  }

  void give(std::int64_t offset, std::int64_t bytes) {
    auto next = by_offset_.lower_bound(offset);
    if (next != by_offset_.end() && offset + bytes == next->first) {
      bytes += next->second;
      next = remove(next);
    }
    if (next != by_offset_.begin()) {
      auto const before = std::prev(next);
      if (before->first + before->second == offset) {
        offset = before->first;
        bytes += before->second;
        remove(before);
      }
    }
    add(offset, bytes);
  }

  std::int64_t end() const { return end_; }

 private:
  using Pieces = std::map<std::int64_t, std::int64_t>;

  void add(std::int64_t offset, std::int64_t bytes) {
    by_offset_.emplace(offset, bytes);
    by_size_.emplace(bytes, offset);
  }
  Pieces::iterator remove(Pieces::iterator piece) {
    by_size_.erase({piece->second, piece->first});
    return by_offset_.erase(piece);
  }

  Pieces by_offset_;
  std::set<std::pair<std::int64_t, std::int64_t>> by_size_;
  std::int64_t end_ = 0;
};

Allocation best_fit(std::span<Lifetime const> buffers) {
  Allocation result{std::vector<std::int64_t>(buffers.size()), 0};
  FreeMemory memory;
  along_time(
      buffers,
      [&](std::size_t i) {
        result.offsets[i] = memory.take(aligned(buffers[i].bytes));
        return true;
      },
      [&](std::size_t i) { memory.give(result.offsets[i], aligned(buffers[i].bytes)); });
  result.bytes = memory.end();
  return result;
}

Allocation by_size(std::span<Lifetime const> buffers) {
  Allocation result{std::vector<std::int64_t>(buffers.size()), 0};
  std::vector<std::size_t> sorted(buffers.size());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  std::ranges::sort(sorted, {}, [&](std::size_t i) {
    return std::tuple(-buffers[i].bytes, buffers[i].first, i);
  });
  std::vector<std::size_t> placed;  // by offset
  for (auto i : sorted) {
    auto const& buffer = buffers[i];
    if (buffer.bytes == 0) break;
    auto const bytes = aligned(buffer.bytes);
    std::int64_t end = 0, best = -1, best_gap = std::numeric_limits<std::int64_t>::max();
    for (auto other : placed) {
      if (buffers[other].last < buffer.first || buffer.last < buffers[other].first) continue;
      auto const gap = result.offsets[other] - end;
      if (gap >= bytes && gap < best_gap) {
        best = end;
        best_gap = gap;
      }
      end = std::max(end, result.offsets[other] + aligned(buffers[other].bytes));
    }
    result.offsets[i] = best >= 0 ? best : end;
    result.bytes = std::max(result.bytes, result.offsets[i] + bytes);
    auto const at = std::ranges::upper_bound(
        placed, result.offsets[i], {}, [&](std::size_t other) { return result.offsets[other]; });
    placed.insert(at, i);
  }
  return result;
}

}  // namespace

Allocation allocate(std::span<Lifetime const> buffers, std::int64_t threads, std::int64_t spare) {
  auto result = best_fit(buffers);
  if (std::ranges::count_if(buffers, [](Lifetime buffer) { return buffer.bytes > 0; }) <=
      few_buffers)
    if (auto other = by_size(buffers); other.bytes < result.bytes) result = std::move(other);
  if (threads > 1)
    for (auto const recent : recent_bytes)
      if (result.bytes >= least_times * recent)
        if (auto other = allocate_for_threads(buffers, threads, recent, result.bytes + spare))
          return *std::move(other);
  return result;
}

std::int64_t largest_live(std::span<Lifetime const> buffers) {
  std::size_t steps = 0;
  for (auto const& buffer : buffers) steps = std::max(steps, buffer.last + 1);
  std::vector<std::int64_t> change(steps + 1, 0);
  for (auto const& buffer : buffers) {
    change[buffer.first] += buffer.bytes;
    change[buffer.last + 1] -= buffer.bytes;
  }
  std::int64_t live = 0, largest = 0;
  for (auto bytes : change) {
    live += bytes;
    largest = std::max(largest, live);
  }
  return largest;
}

}  // namespace lbann
