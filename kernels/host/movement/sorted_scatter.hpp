// Scatter of rows to more places than a cache holds: the picks are sorted by ranges of places
// first, so that each range stays in a core's cache while all of its rows are added to it, and its
// epilogue runs.
#pragma once

#include <algorithm>

#include "kernels/host/map/engine.hpp"
#include "kernels/host/prefetch.hpp"
#include "kernels/map/epilogue.hpp"
#include "kernels/map/epilogue_of_zero.hpp"
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
        sorted_(sorted) {
    auto const& epilogue = operator_of<operators::scatter>(call).epilogue;
    if (epilogue.empty()) return;
    epilogue_ = bind_epilogue<MapEngine>(epilogue, call, call.outputs[0].type, nullptr);
    is_identity_of_zero_ = is_identity_of_first_zero(epilogue, call);
    sums_ = call.scratch.data() + sorted_.bytes(at_.batch, at_.picks);
  }

  void run() override {
    for_each_task(at_.batch * sorted_.parts,
                  [this](std::int64_t part, std::int64_t) { sort(part); });
    auto const ranges = at_.batch * at_.outer * sorted_.ranges;
    if (!epilogue_)
      return for_each_task(ranges, [this](std::int64_t range, std::int64_t) { add(range); });
    auto const bytes = static_cast<std::size_t>(sums_bytes());
    for_each_task(workers_for(ranges), [&](std::int64_t worker, std::int64_t) {
      std::fill_n(sums_ + static_cast<std::size_t>(worker) * bytes, bytes, std::byte{});
    });
    for_each_task(
        ranges, [this](std::int64_t range, std::int64_t worker) { add_and_finish(range, worker); });
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

  /// Places [first, last) of a row of the output.
  struct Range {
    std::int64_t row, number, first, last;
    T* sums;
    bool* is_named = nullptr;  ///< per place, set where something is added; null: not told
  };

  Range range_of(std::int64_t index) const {
    auto const row = index / sorted_.ranges, number = index % sorted_.ranges;
    auto const first = number << sorted_.bits;
    auto const last = std::min(at_.count, (number + 1) << sorted_.bits);
    return {row, number, first, last, y_ + (row * at_.count + first) * at_.inner};
  }

  void add(std::int64_t index) const {
    auto const range = range_of(index);
    std::fill_n(range.sums, (range.last - range.first) * at_.inner, T(0));
    add_picks(range);
  }

  std::int64_t place_bytes() const { return at_.inner * static_cast<std::int64_t>(sizeof(T)); }
  std::int64_t sums_bytes() const { return sorted_.range_bytes(place_bytes()); }

  /// The sums of a range in scratch, which holds zeros before and afterwards, then its epilogue.
  void add_and_finish(std::int64_t index, std::int64_t worker) const {
    auto range = range_of(index);
    auto* const own = sums_ + worker * sums_bytes();
    range.sums = reinterpret_cast<T*>(own);
    range.is_named =
        reinterpret_cast<bool*>(own + (std::int64_t{1} << sorted_.bits) * place_bytes());
    add_picks(range);
    auto const places = range.last - range.first, inner = at_.inner;
    auto const finish = [&](std::int64_t begin, std::int64_t end) {
      epilogue_->run_streaming((range.first + begin) * inner, (range.first + end) * inner,
                               range.sums + begin * inner);
    };
    if (!is_identity_of_zero_) finish(0, places);
    for (std::int64_t begin = 0; begin < places; ++begin) {
      if (!range.is_named[begin]) continue;
      auto end = begin;
      while (end < places && range.is_named[end]) ++end;
      if (is_identity_of_zero_) finish(begin, end);
      std::fill(range.sums + begin * inner, range.sums + end * inner, T(0));
      std::fill(range.is_named + begin, range.is_named + end, false);
      begin = end;
    }
  }

  void add_picks(Range const& range) const {
    Picks some;
    auto const batch = range.row / at_.outer;
    for (std::int64_t part = 0; part < sorted_.parts; ++part) {
      auto const* const ends = ends_ + (batch * sorted_.parts + part) * (sorted_.ranges + 1);
      auto const* const order = order_ + batch * at_.picks + part * at_once;
      for (std::int64_t n = range.number > 0 ? ends[range.number - 1] : 0; n < ends[range.number];
           ++n) {
        if (some.count == Picks::most) add(range, some);
        some.numbers[some.count++] = part * at_once + order[n];
      }
    }
    add(range, some);
  }

  /// Some picks of one range.
  struct Picks {
    static constexpr int most = 512;
    std::int64_t numbers[most];
    int count = 0;
  };

  /// Adds what they name, and forgets them.
  void add(Range const& range, Picks& some) const {
    auto const inner = at_.inner;
    auto const* const named = indices_ + range.row / at_.outer * at_.picks;
    T const* const addends = values_ + range.row * at_.picks * inner;
    auto const ahead = 1 + prefetch_distance / inner;
    for (int n = 0; n < some.count; ++n) {
      if (n + ahead < some.count) prefetch_to_l1(addends + some.numbers[n + ahead] * inner, inner);
      auto const place = place_of(named[some.numbers[n]], at_.count) - range.first;
      T* const sum = range.sums + place * inner;
      if (range.is_named != nullptr) range.is_named[place] = true;
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
  std::optional<MapEngine> epilogue_;
  bool is_identity_of_zero_ = false;  ///< it leaves outputs as they are where nothing is added
  std::byte* sums_ = nullptr;         ///< with an epilogue: those of a range for each worker
};

}  // namespace lbann::kernels::host
