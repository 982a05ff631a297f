// Scatter of single entries to rows that go past the caches.
#pragma once

#include "kernels/indexed.hpp"
#include "kernels/kokkos/fetch_ahead.hpp"
#include "kernels/kokkos/streams.hpp"

namespace lbann::kernels::kokkos {

/// Some rows for each index: while one is added up in a buffer, the one before it leaves another,
/// a little at a time, for memory takes as long as adding.
template <class T, class Index>
struct StreamedScatter {
  static constexpr std::int64_t most_places = on_host ? 16384 / sizeof(T) : 1;
  static constexpr std::int64_t elements_at_once = std::int64_t{1} << 17;

  T const* values;
  Index const* indices;
  T* y;
  Indexed at;  ///< of at most `most_places`, `inner` 1
  std::int64_t rows_at_once;

  static bool fits(Indexed const& at, T const* y) {
    return at.inner == 1 && at.count > 0 && at.count <= most_places &&
           is_streamed(y, at.batch * at.outer * at.count, at.count);
  }

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
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
        if (start + fetched_ahead + picks_at_once <= available) {
          fetch_ahead(picks + start + fetched_ahead, picks_at_once);
          fetch_ahead(addends + start + fetched_ahead, picks_at_once);
        }
        std::int64_t const rest = at.picks - start;
        if (rest >= picks_at_once)
          add(picks + start, addends + start, picks_at_once, sums);
        else
          add(picks + start, addends + start, static_cast<int>(rest), sums);
        std::int64_t const next = left + step < at.count ? left + step : at.count;
        leave(before, to, left, next);
        left = next;
      }
      leave(before, to, left, at.count);
      T* const done = sums;
      sums = before;
      before = done;
    }
    leave(before, y + (end - 1) * at.count, 0, at.count);
    finish_streams();
  }

 private:
  static constexpr int picks_at_once = on_host ? 64 : 1;
  /// Picks between those that are added and those that are fetched.
  static constexpr std::int64_t fetched_ahead = 512;

  /// What names no place is added behind the places, everything to another place there, so that no
  /// sum has to wait for the one before it.
  KOKKOS_FORCEINLINE_FUNCTION void add(Index const* picks, T const* addends, int found,
                                       T* sums) const {
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

  /// Sums from `begin` on become zero again.
  KOKKOS_FUNCTION void leave(T* sums, T* to, std::int64_t begin, std::int64_t end) const {
    for (std::int64_t i = begin; i < end; i += lanes<T>) {
      stream_vector(to + i, load_vector(sums + i));
      store_vector(sums + i, Vector<T>{});
    }
  }
};

}  // namespace lbann::kernels::kokkos
