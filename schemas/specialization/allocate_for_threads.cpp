// Along time: of the free places for a buffer that where the fewest bytes come to another thread.
#include "schemas/specialization/allocate_for_threads.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <tuple>

#include "schemas/specialization/along_time.hpp"
#include "schemas/specialization/passes.hpp"

namespace lbann {

namespace {

/// Memory of up to `limit` bytes, what of it is free, and which buffer was there last.
class ThreadMemory {
 public:
  ThreadMemory(std::span<Lifetime const> buffers, std::int64_t threads, std::int64_t recent,
               std::int64_t limit)
      : buffers_(buffers),
        threads_(std::min(threads, most_threads)),
        recent_(recent),
        free_{{0, limit / buffer_alignment * buffer_alignment}} {}

  /// A buffer and where it lies.
  struct Placed {
    std::size_t buffer;
    std::int64_t at;
  };

  /// The place of a buffer that is born now; negative if there is none.
  std::int64_t take(std::size_t buffer);
  void give(Placed dead);
  /// The end of what has been taken.
  std::int64_t end() const { return end_; }

 private:
  /// Smaller buffers are placed where they fit best.
  static constexpr std::int64_t least_bytes = 1 << 15;
  /// More threads are counted as so many, of larger parts.
  static constexpr std::int64_t most_threads = 8;

  /// The last one in a range of bytes, and how many bytes had been born when it died.
  struct Last {
    std::int64_t end;
    Placed buffer;
    std::int64_t born;
  };

  template <class Visit>
  void each_place(std::int64_t begin, std::int64_t end, std::int64_t bytes,
                  Visit const& visit) const;
  std::int64_t moved(Placed born) const;
  std::int64_t moved(Placed before, Placed after, std::int64_t begin, std::int64_t end) const;
  void record(std::int64_t begin, Last last);
  /// The first range of last_ that ends behind `begin`, or is the one before it.
  auto first_around(std::int64_t begin) const {
    auto const after = last_.upper_bound(begin);
    return after == last_.begin() ? after : std::prev(after);
  }

  std::span<Lifetime const> buffers_;
  std::int64_t threads_, recent_;
  std::int64_t born_ = 0, end_ = 0;
  std::map<std::int64_t, std::int64_t> free_;  ///< begin to end
  std::map<std::int64_t, Last> last_;          ///< by begin; ranges do not overlap
};

/// Places for `bytes` within free bytes [begin, end): at their ends, and where threads may find
/// parts of a buffer that was there again: at its ends and its middle.
template <class Visit>
void ThreadMemory::each_place(std::int64_t begin, std::int64_t end, std::int64_t bytes,
                              Visit const& visit) const {
  visit(begin);
  visit(end - bytes);
  if (bytes < least_bytes) return;
  for (auto at = last_.lower_bound(begin); at != last_.end() && at->first < end; ++at) {
    auto const [buffer, offset] = at->second.buffer;
    if (buffers_[buffer].bytes < least_bytes || !buffers_[buffer].divided) continue;
    auto const spare = aligned(buffers_[buffer].bytes) - bytes;
    for (auto const place : {offset, offset + spare, offset + spare / 2})
      if (place >= begin && place + bytes <= end)
        visit(place / buffer_alignment * buffer_alignment);
  }
}

std::int64_t ThreadMemory::take(std::size_t buffer) {
  auto const bytes = aligned(buffers_[buffer].bytes);
  born_ += bytes;
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  // Bytes that move, memory that has been free until now, and bytes of the free range around.
  std::tuple best{most, most, most, std::int64_t{-1}};
  for (auto const& [begin, end] : free_)
    if (end - begin >= bytes)
      each_place(begin, end, bytes, [&, size = end - begin](std::int64_t at) {
        best = std::min(best, std::tuple(moved({buffer, at}),
                                         std::max<std::int64_t>(at + bytes - end_, 0), size, at));
      });
  auto const at = std::get<3>(best);
  if (at < 0) return at;
  auto const around = std::prev(free_.upper_bound(at));
  auto const [begin, end] = *around;
  free_.erase(around);
  if (begin < at) free_.emplace(begin, at);
  if (at + bytes < end) free_.emplace(at + bytes, end);
  end_ = std::max(end_, at + bytes);
  return at;
}

void ThreadMemory::give(Placed dead) {
  auto begin = dead.at, end = begin + aligned(buffers_[dead.buffer].bytes);
  record(begin, {end, dead, born_});
  if (auto const next = free_.find(end); next != free_.end()) {
    end = next->second;
    free_.erase(next);
  }
  if (auto const after = free_.lower_bound(begin); after != free_.begin())
    if (auto const before = std::prev(after); before->second == begin) {
      begin = before->first;
      free_.erase(before);
    }
  free_.emplace(begin, end);
}

/// Enters what was last in bytes from `begin` on.
void ThreadMemory::record(std::int64_t begin, Last last) {
  auto at = last_.upper_bound(begin);
  if (at != last_.begin()) --at;
  while (at != last_.end() && at->first < last.end) {
    auto const [first, old] = *at;
    if (old.end <= begin) {
      ++at;
      continue;
    }
    at = last_.erase(at);
    if (first < begin) last_.emplace(first, Last{begin, old.buffer, old.born});
    if (old.end > last.end) last_.emplace(last.end, old);
  }
  last_.emplace(begin, last);
}

/// Bytes of a buffer that come to another thread with it.
std::int64_t ThreadMemory::moved(Placed born) const {
  auto const bytes = buffers_[born.buffer].bytes, end = born.at + bytes;
  if (bytes < least_bytes) return 0;
  std::int64_t sum = 0;
  for (auto at = first_around(born.at); at != last_.end() && at->first < end; ++at)
    if (born_ - at->second.born <= recent_)
      sum += moved(at->second.buffer, born, std::max(born.at, at->first),
                   std::min(end, at->second.end));
  return sum;
}

/// Of bytes [begin, end) of both.
std::int64_t ThreadMemory::moved(Placed before, Placed after, std::int64_t begin,
                                 std::int64_t end) const {
  auto const &old = buffers_[before.buffer], &born = buffers_[after.buffer];
  end = std::min(end, before.at + old.bytes);
  if (begin >= end) return 0;
  if (!old.divided || !born.divided) return end - begin;
  auto const part = [&](std::int64_t at, std::int64_t bytes) { return at * threads_ / bytes; };
  auto const part_end = [&](std::int64_t number, std::int64_t bytes) {
    return ((number + 1) * bytes + threads_ - 1) / threads_;
  };
  std::int64_t sum = 0;
  for (auto at = begin, next = at; at < end; at = next) {
    auto const a = part(at - before.at, old.bytes), b = part(at - after.at, born.bytes);
    next = std::min({end, before.at + part_end(a, old.bytes), after.at + part_end(b, born.bytes)});
    if (a != b) sum += next - at;
  }
  return sum;
}

}  // namespace

std::optional<Allocation> allocate_for_threads(std::span<Lifetime const> buffers,
                                               std::int64_t threads, std::int64_t recent,
                                               std::int64_t limit) {
  Allocation result{std::vector<std::int64_t>(buffers.size()), 0};
  auto& offsets = result.offsets;
  ThreadMemory memory(buffers, threads, recent, limit);
  bool const fits = along_time(
      buffers,
      [&](std::size_t i) {
        offsets[i] = memory.take(i);
        return offsets[i] >= 0;
      },
      [&](std::size_t i) {
        memory.give({i, offsets[i]});
      });
  result.bytes = memory.end();
  return fits ? std::optional(std::move(result)) : std::nullopt;
}

}  // namespace lbann
