// CPU kernel of gather: runs of memory copied from where indices say.
#include "kernels/element_types.hpp"
#include "kernels/host/functor_kernel.hpp"
#include "kernels/host/non_temporal.hpp"
#include "kernels/host/prefetch.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/indexed.hpp"

namespace lbann::kernels::host {

namespace {

/// Elements that a thread moves at a time, about.
constexpr std::int64_t gathered_at_once = 8192;
/// Elements between the run that is copied and the one that is prefetched.
constexpr std::int64_t prefetch_distance = 512;
/// Tables of at least so many bytes do not stay in a core's caches: their runs are prefetched.
constexpr std::int64_t prefetched_table = std::int64_t{1} << 20;
/// Runs of at least so many bytes are worth non-temporal stores.
constexpr std::int64_t non_temporal_run = 256;

template <class Unit, class Index>
struct Gather {
  Unit const* values;
  Index const* indices;
  Unit* y;
  Indexed at;
  std::int64_t block, blocks, pieces;  ///< picks at once, of a row; parts of the inner run
  bool prefetches;                     ///< whether the table is larger than a core's own caches
  bool non_temporal;                   ///< whether results use non-temporal stores

  void operator()(std::int64_t index) const {
    std::int64_t const row = index / pieces / blocks;
    std::int64_t const first = index / pieces % blocks * block;
    std::int64_t const last = first + block < at.picks ? first + block : at.picks;
    std::int64_t const begin = index % pieces * gathered_at_once;
    std::int64_t const end =
        begin + gathered_at_once < at.inner ? begin + gathered_at_once : at.inner;
    Index const* const picks = indices + row / at.outer * at.picks;
    Unit const* const from = values + row * at.count * at.inner;
    Unit* const to = y + row * at.picks * at.inner;
    if (at.inner == 1 && at.count > 0) {
      // What an index beyond the ends reads is not kept.
      std::int64_t const count = at.count;
      bool const is_last = row + 1 == at.batch * at.outer;
      constexpr std::int64_t step = 128;
      for (std::int64_t some = first; some < last; some += step) {
        std::int64_t const end = some + step < last ? some + step : last;
        if (!is_last && some < count) {  // the row after this one
          prefetch(from + count + some, step < count - some ? step : count - some);
          prefetch_for_write(to + at.picks + some, end - some);
        }
#pragma omp simd
        for (std::int64_t p = some; p < end; ++p) {
          auto const place = place_of(picks[p], count);
          Unit const found = from[place < 0 ? 0 : place];
          to[p] = place < 0 ? Unit(0) : found;
        }
      }
      return;
    }
    std::int64_t const length = end - begin, ahead = 1 + prefetch_distance / (length + 1);
    for (std::int64_t p = first; p < last; ++p) {
      if (prefetches && p + ahead < last)
        if (auto const soon = place_of(picks[p + ahead], at.count); soon >= 0)
          prefetch(from + soon * at.inner + begin, length);
      auto const place = place_of(picks[p], at.count);
      Unit* const destination = to + p * at.inner + begin;
      if (place >= 0)
        copy_run(destination, from + place * at.inner + begin, length, non_temporal);
      else
        for (std::int64_t i = 0; i < length; ++i) destination[i] = Unit(0);
    }
    if (non_temporal) store_fence();
  }
};

}  // namespace

Implementation gather_kernel() {
  return {"host", [](Call const& call) { return is_index_type(call.inputs[1].type); },
          [](Call const& call) {
            auto const& op = operator_of<operators::gather>(call);
            auto const &values = call.inputs[0], &indices = call.inputs[1];
            auto const at = indexed_of(values, indices, op.axis, op.batch_axes);
            // Bits move, whatever they mean; those of zero are zero in every type.
            return with_unit(bytes_of(values.type), [&](auto unit) {
              return with_index_type(indices.type, [&](auto index) {
                using Unit = decltype(unit);
                using Index = decltype(index);
                auto const block = std::max<std::int64_t>(
                    1, gathered_at_once / std::max<std::int64_t>(1, at.inner));
                auto const blocks = (at.picks + block - 1) / block;
                auto const pieces = (at.inner + gathered_at_once - 1) / gathered_at_once;
                auto const rows = at.batch * at.outer;
                auto const size = static_cast<std::int64_t>(sizeof(Unit));
                auto* const y = call.outputs[0].as<Unit>();
                bool const prefetches = values.elements() * size >= prefetched_table;
                bool const non_temporal =
                    at.inner * size >= non_temporal_run &&
                    call.outputs[0].elements() * size >= non_temporal_bytes_in_order();
                return functor_kernel(
                    rows * blocks * pieces, static_cast<double>(call.outputs[0].elements()),
                    Gather<Unit, Index>{values.as<Unit>(), indices.as<Index>(), y, at, block,
                                        blocks, pieces, prefetches, non_temporal});
              });
            });
          }};
}

}  // namespace lbann::kernels::host
