// CPU kernels of scatter: each part of the output belongs to one thread, which goes through all
// indices in order. So results do not depend on the number of threads, and no two threads write to
// one place.
#include <algorithm>

#include "kernels/element_types.hpp"
#include "kernels/host/functor_kernel.hpp"
#include "kernels/host/movement/non_temporal_scatter.hpp"
#include "kernels/host/movement/sorted_scatter.hpp"
#include "kernels/host/prefetch.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/indexed.hpp"

namespace lbann::kernels::host {

namespace {

/// Fewest elements of an inner run that a thread adds.
constexpr std::int64_t added_at_once = 64;
/// Places found at a time.
constexpr int found_at_once = 256;

/// Elements of a run of `inner` that a thread adds where `parts` of it are enough.
std::int64_t elements_at_once(std::int64_t inner, std::int64_t parts) {
  auto const blocks = (inner + added_at_once - 1) / added_at_once;
  auto const wanted = std::clamp<std::int64_t>(parts, 1, std::max<std::int64_t>(1, blocks));
  return std::max<std::int64_t>(1, (blocks + wanted - 1) / wanted) * added_at_once;
}

template <class T, class Index>
struct Scatter {
  T const* values;
  Index const* indices;
  T* y;
  Indexed at;
  std::int64_t range, ranges;  ///< places at once, of a row
  std::int64_t piece, pieces;  ///< elements at once, of an inner run

  void operator()(std::int64_t index) const {
    std::int64_t const row = index / pieces / ranges;
    std::int64_t const first = index / pieces % ranges * range;
    std::int64_t const last = first + range < at.count ? first + range : at.count;
    std::int64_t const begin = index % pieces * piece;
    std::int64_t const length = begin + piece < at.inner ? piece : at.inner - begin;
    Index const* const picks = indices + row / at.outer * at.picks;
    T const* const from = values + row * at.picks * at.inner + begin;
    T* const to = y + row * at.count * at.inner + begin;
    if (length == at.inner) {
      for (std::int64_t i = first * at.inner; i < last * at.inner; ++i) to[i] = T(0);
    } else {
      for (std::int64_t place = first; place < last; ++place)
        for (std::int64_t i = 0; i < length; ++i) to[place * at.inner + i] = T(0);
    }
    if (first >= last) return;
    bool const is_last = row + 1 == at.batch * at.outer;
    for (std::int64_t start = 0; start < at.picks; start += found_at_once) {
      auto const rest = at.picks - start;
      int const found = static_cast<int>(rest < found_at_once ? rest : found_at_once);
      T const* const addends = from + start * at.inner;
      if (at.inner > 1) {
        add_runs(picks + start, addends, found, first, last, length, to);
        continue;
      }
      if (!is_last && start < at.count) {  // the row after this one
        std::int64_t const left = at.count - start;
        prefetch_for_write(to + at.count + start, found < left ? found : left);
      }
      add_elements(picks + start, addends, found, first, last, to);
    }
  }

  /// Zero is added to the first place for each index that names no place of the range: no branch
  /// has to be foreseen.
  void add_elements(Index const* picks, T const* addends, int found, std::int64_t first,
                    std::int64_t last, T* to) const {
    std::int64_t places[found_at_once];
    T sums[found_at_once];
    std::int64_t const count = at.count;
#pragma omp simd
    for (int p = 0; p < found; ++p) {
      auto const place = place_of(picks[p], count);
      bool const inside = (place >= first) & (place < last);
      places[p] = inside ? place : first;
      sums[p] = inside ? addends[p] : T(0);
    }
    for (int p = 0; p < found; ++p) to[places[p]] += sums[p];
  }

  void add_runs(Index const* picks, T const* addends, int found, std::int64_t first,
                std::int64_t last, std::int64_t length, T* to) const {
    std::int64_t places[found_at_once];
    std::int64_t const count = at.count;
#pragma omp simd
    for (int p = 0; p < found; ++p) places[p] = place_of(picks[p], count);
    // Those of the range, so that the runs after each are known.
    int numbers[found_at_once];
    int inside = 0;
    for (int p = 0; p < found; ++p) {
      numbers[inside] = p;
      inside += (places[p] >= first) & (places[p] < last);
    }
    for (int n = 0; n < inside; ++n) {
      if (n + 2 < inside) prefetch(addends + numbers[n + 2] * at.inner, length);
      T* const sum = to + places[numbers[n]] * at.inner;
      T const* const addend = addends + numbers[n] * at.inner;
#pragma omp simd
      for (std::int64_t i = 0; i < length; ++i) sum[i] += addend[i];
    }
  }
};

std::optional<operators::rules::SortedPicks> sorted_picks_of(Call const& call) {
  auto const& op = operator_of<operators::scatter>(call);
  auto const at = indexed_of(call.outputs[0], call.inputs[1], op.axis, op.batch_axes);
  auto const place_bytes = at.inner * static_cast<std::int64_t>(bytes_of(call.inputs[0].type));
  return operators::rules::sorted_picks(at.count, place_bytes, at.picks);
}

}  // namespace

Implementation scatter_kernel() {
  return {
      "host",
      [](Call const& call) {
        auto const type = call.inputs[0].type;
        if ((type != DataType::f32 && type != DataType::f64) || !is_index_type(call.inputs[1].type))
          return false;
        auto const& epilogue = operator_of<operators::scatter>(call).epilogue;
        return epilogue.empty() ||
               (sorted_picks_of(call) && takes_product<MapEngine>(epilogue, call));
      },
      [](Call const& call) {
        auto const& op = operator_of<operators::scatter>(call);
        auto const &values = call.inputs[0], &indices = call.inputs[1], &y = call.outputs[0];
        auto const at = indexed_of(y, indices, op.axis, op.batch_axes);
        auto const sorted = sorted_picks_of(call);
        return with_floating(values.type, [&](auto zero) {
          return with_index_type(indices.type, [&](auto index) -> std::unique_ptr<Kernel> {
            using T = decltype(zero);
            using Index = decltype(index);
            if (sorted) return std::make_unique<SortedScatter<T, Index>>(call, at, *sorted);
            auto const rows = at.batch * at.outer;
            auto const cost = static_cast<double>(y.elements() + 2 * values.elements());
            using NonTemporal = NonTemporalScatter<T, Index>;
            if (NonTemporal::fits(at, y.as<T>())) {
              auto const at_once = NonTemporal::elements_at_once / at.count;
              return functor_kernel(
                  (rows + at_once - 1) / at_once, cost,
                  NonTemporal{values.as<T>(), indices.as<Index>(), y.as<T>(), at, at_once});
            }
            auto const wanted = 4 * ThreadTeam::size();
            auto const piece = elements_at_once(at.inner, wanted / std::max<std::int64_t>(1, rows));
            auto const pieces = (at.inner + piece - 1) / piece;
            // Places are shared out only where there are not enough rows and pieces.
            auto const shares =
                std::max<std::int64_t>(1, wanted / std::max<std::int64_t>(1, rows * pieces));
            auto const range = std::max<std::int64_t>(256, (at.count + shares - 1) / shares);
            auto const ranges = (at.count + range - 1) / range;
            return functor_kernel(rows * ranges * pieces, cost,
                                  Scatter<T, Index>{values.as<T>(), indices.as<Index>(), y.as<T>(),
                                                    at, range, ranges, piece, pieces});
          });
        });
      }};
}

}  // namespace lbann::kernels::host
