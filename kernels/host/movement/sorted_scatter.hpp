// Scatter of rows to more places than a cache holds: the picks are sorted by ranges of places
// first, so that each range stays in a core's cache while all of its rows are added to it.
#pragma once

#include <algorithm>

#include "kernels/host/prefetch.hpp"
#include "kernels/shapes/indexed.hpp"
#include "kernels/tasks.hpp"
#include "schemas/operators/sorted_picks.hpp"

namespace lbann::kernels::host {

template <class T, class Index>
class SortedScatter : public Kernel {
 public:
  SortedScatter(Call const& call, Indexed const& at, operators::rules::SortedPicks const& sorted)
      : values_(call.inputs[0].as<T>()),
        indices_(call.inputs[1].as<Index>()),
        y_(call.outputs[0].as<T>()),
        order_(reinterpret_cast<std::uint16_t*>(call.scratch.data())),
        ends_(order_ + at.batch * at.picks),
        at_(at),
        sorted_(sorted) {}

  void run() override {
    for_each_task(at_.batch * sorted_.parts,
                  [this](std::int64_t part, std::int64_t) { sort(part); });
    for_each_task(at_.batch * at_.outer * sorted_.ranges,
                  [this](std::int64_t range, std::int64_t) { add(range); });
  }

 private:
  static constexpr std::int64_t at_once = operators::rules::SortedPicks::at_once;
  /// Elements between the row that is added and the one that is prefetched.
  static constexpr std::int64_t prefetch_distance = 1024;

  /// Picks of a part in the order of the ranges they name, those of a range in their own; ends_
  /// tells where each range ends. Those that name nothing are last.
  void sort(std::int64_t part) const {
    auto const begin = part % sorted_.parts * at_once;
    auto const found = std::min(at_once, at_.picks - begin);
    auto const first = part / sorted_.parts * at_.picks + begin;
    auto const* const named = indices_ + first;
    auto const count = at_.count, ranges = sorted_.ranges;
    auto const bits = sorted_.bits;
    std::uint16_t ranges_of[at_once];
    for (std::int64_t p = 0; p < found; ++p) {
      auto const place = place_of(named[p], count);
      ranges_of[p] = static_cast<std::uint16_t>(place < 0 ? ranges : place >> bits);
    }
    auto* const ends = ends_ + part * (ranges + 1);
    std::fill_n(ends, ranges + 1, std::uint16_t{0});
    for (std::int64_t p = 0; p < found; ++p) ++ends[ranges_of[p]];
    std::uint16_t before = 0;
    for (std::int64_t r = 0; r <= ranges; ++r) {
      auto const own = ends[r];
      ends[r] = before;
      before = static_cast<std::uint16_t>(before + own);
    }
    for (std::int64_t p = 0; p < found; ++p)
      order_[first + ends[ranges_of[p]]++] = static_cast<std::uint16_t>(p);
  }

  /// One range of places of a row, zeros first.
  void add(std::int64_t index) const {
    auto const row = index / sorted_.ranges, range = index % sorted_.ranges;
    auto const inner = at_.inner;
    T* const to = y_ + row * at_.count * inner;
    auto const first = range << sorted_.bits;
    auto const last = std::min(at_.count, (range + 1) << sorted_.bits);
    std::fill(to + first * inner, to + last * inner, T(0));
    Picks some;
    auto const batch = row / at_.outer;
    for (std::int64_t part = 0; part < sorted_.parts; ++part) {
      auto const* const ends = ends_ + (batch * sorted_.parts + part) * (sorted_.ranges + 1);
      auto const* const order = order_ + batch * at_.picks + part * at_once;
      for (std::int64_t n = range > 0 ? ends[range - 1] : 0; n < ends[range]; ++n) {
        if (some.count == Picks::most) add(row, some);
        some.numbers[some.count++] = part * at_once + order[n];
      }
    }
    add(row, some);
  }

  /// Some picks of one range.
  struct Picks {
    static constexpr int most = 512;
    std::int64_t numbers[most];
    int count = 0;
  };

  /// Adds what they name, and forgets them.
  void add(std::int64_t row, Picks& some) const {
    auto const inner = at_.inner;
    auto const* const named = indices_ + row / at_.outer * at_.picks;
    T const* const addends = values_ + row * at_.picks * inner;
    T* const to = y_ + row * at_.count * inner;
    auto const ahead = 1 + prefetch_distance / inner;
    for (int n = 0; n < some.count; ++n) {
      if (n + ahead < some.count) prefetch_to_l1(addends + some.numbers[n + ahead] * inner, inner);
      T* const sum = to + place_of(named[some.numbers[n]], at_.count) * inner;
      T const* const addend = addends + some.numbers[n] * inner;
#pragma omp simd
      for (std::int64_t i = 0; i < inner; ++i) sum[i] += addend[i];
    }
    some.count = 0;
  }

  T const* values_;
  Index const* indices_;
  T* y_;
  std::uint16_t *order_, *ends_;
  Indexed at_;
  operators::rules::SortedPicks sorted_;
};

}  // namespace lbann::kernels::host
