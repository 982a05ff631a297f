// Scatter of single entries to rows that are written with non-temporal stores.
#pragma once

#include "kernels/host/non_temporal.hpp"
#include "kernels/host/prefetch.hpp"
#include "kernels/shapes/indexed.hpp"

namespace lbann::kernels::host {

/// Some rows for each index. While one row is summed in a buffer, the row before it is stored from
/// another buffer, a little at a time: storing takes as long as summing, and so overlaps with it.
template <class T, class Index>
struct NonTemporalScatter {
  static constexpr std::int64_t most_places = 16384 / sizeof(T);
  static constexpr std::int64_t elements_at_once = std::int64_t{1} << 17;

  T const* values;
  Index const* indices;
  T* y;
  Indexed at;  ///< of at most `most_places`, `inner` 1
  std::int64_t rows_at_once;

  static bool fits(Indexed const& at, T const* y) {
    return at.inner == 1 && at.count > 0 && at.count <= most_places &&
           takes_non_temporal_stores(y, at.batch * at.outer * at.count, at.count);
  }

  void operator()(std::int64_t index) const {
    alignas(64) T buffers[2][most_places + picks_at_once] = {};
    T *sums = buffers[0], *before = buffers[1];
    std::int64_t const rows = at.batch * at.outer, first = index * rows_at_once;
    std::int64_t const end = first + rows_at_once < rows ? first + rows_at_once : rows;
    std::int64_t const blocks = at.picks > 0 ? (at.picks + picks_at_once - 1) / picks_at_once : 1;
    std::int64_t const registers = at.count / lanes<T>;
    std::int64_t const step = (registers + blocks - 1) / blocks * lanes<T>;
    for (std::int64_t row = first; row < end; ++row) {
      T* const to = row > first ? y + (row - 1) * at.count : nullptr;
      std::int64_t left = row > first ? 0 : at.count;
      std::int64_t const batch = row / at.outer;
      Index const* const picks = indices + batch * at.picks;
      T const* const addends = values + row * at.picks;
      std::int64_t const available = (at.batch - batch) * at.picks;
      for (std::int64_t start = 0; start < at.picks; start += picks_at_once) {
        if (start + prefetch_distance + picks_at_once <= available) {
          prefetch(picks + start + prefetch_distance, picks_at_once);
          prefetch(addends + start + prefetch_distance, picks_at_once);
        }
        std::int64_t const rest = at.picks - start;
        if (rest >= picks_at_once)
          add(picks + start, addends + start, picks_at_once, sums);
        else
          add(picks + start, addends + start, static_cast<int>(rest), sums);
        std::int64_t const next = left + step < at.count ? left + step : at.count;
        store(before, to, left, next);
        left = next;
      }
      store(before, to, left, at.count);
      T* const done = sums;
      sums = before;
      before = done;
    }
    store(before, y + (end - 1) * at.count, 0, at.count);
    store_fence();
  }

 private:
  static constexpr int picks_at_once = 64;
  /// Picks between those that are added and those that are prefetched.
  static constexpr std::int64_t prefetch_distance = 512;

  /// Picks that name no place are added beyond the places, each to an element of its own, so that
  /// no sum waits for the one before it.
  [[gnu::always_inline]] void add(Index const* picks, T const* addends, int found, T* sums) const {
    alignas(64) int places[picks_at_once];
    alignas(64) T near[picks_at_once];
    auto const count = static_cast<Index>(at.count);
    int const behind = static_cast<int>(at.count);
#pragma omp simd
    for (int p = 0; p < found; ++p) {
      Index const pick = picks[p];
      bool const inside = (pick >= Index(0)) & (pick < count);
      int const place = static_cast<int>(inside ? pick : Index(0));
      places[p] = inside ? place : behind + p;
      near[p] = addends[p];
    }
#pragma GCC unroll 4
    for (int p = 0; p < found; ++p) sums[places[p]] += near[p];
  }

  /// Stores sums [begin, end) and sets them to zero.
  void store(T* sums, T* to, std::int64_t begin, std::int64_t end) const {
    for (std::int64_t i = begin; i < end; i += lanes<T>) {
      store_non_temporal(to + i, load_vector(sums + i));
      store_vector(sums + i, Vector<T>{});
    }
  }
};

}  // namespace lbann::kernels::host
