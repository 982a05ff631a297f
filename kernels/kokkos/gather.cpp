// Portable kernel of gather: runs of memory copied from where indices say.
#include "kernels/indexed.hpp"
#include "kernels/kokkos/fetch_ahead.hpp"
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/kokkos/indices.hpp"
#include "kernels/kokkos/streams.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

/// A thread on the host moves about so many elements, one on a device a single one.
constexpr std::int64_t gathered_at_once = on_host ? 8192 : 1;
/// Elements between the run that is moved and the one that is fetched.
constexpr std::int64_t fetched_ahead = 512;
/// Bytes of a table from which on its runs are fetched ahead.
constexpr std::int64_t fetched_table = std::int64_t{1} << 20;
/// Bytes of a run from which on it is worth going past the caches.
constexpr std::int64_t streamed_run = 256;

template <class Unit, class Index>
struct Gather {
  Unit const* values;
  Index const* indices;
  Unit* y;
  Indexed at;
  std::int64_t block, blocks, pieces;  ///< picks at once, of a row; parts of the inner run
  bool fetches;                        ///< whether the table is larger than a core's own caches
  bool streams;                        ///< whether results go past the caches

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
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
      constexpr std::int64_t step = on_host ? 128 : 1;
      for (std::int64_t some = first; some < last; some += step) {
        std::int64_t const end = some + step < last ? some + step : last;
        if (!is_last && some < count) {  // the row after this one
          fetch_ahead(from + count + some, step < count - some ? step : count - some);
          fetch_ahead_to_write(to + at.picks + some, end - some);
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
    std::int64_t const length = end - begin, ahead = 1 + fetched_ahead / (length + 1);
    for (std::int64_t p = first; p < last; ++p) {
      if (fetches && p + ahead < last)
        if (auto const soon = place_of(picks[p + ahead], at.count); soon >= 0)
          fetch_ahead(from + soon * at.inner + begin, length);
      auto const place = place_of(picks[p], at.count);
      Unit* const destination = to + p * at.inner + begin;
      if (place >= 0)
        put(destination, from + place * at.inner + begin, length, streams);
      else
        for (std::int64_t i = 0; i < length; ++i) destination[i] = Unit(0);
    }
    if (streams) finish_streams();
  }
};

}  // namespace

Implementation gather_kernel() {
  return {"kokkos", [](Call const& call) { return is_index_type(call.inputs[1].type); },
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
                bool const fetches = values.elements() * size >= fetched_table;
                bool const streams = on_host && at.inner * size >= streamed_run &&
                                     call.outputs[0].elements() * size >= streamed_in_order();
                return functor_kernel(
                    rows * blocks * pieces, static_cast<double>(call.outputs[0].elements()),
                    Gather<Unit, Index>{values.as<Unit>(), indices.as<Index>(), y, at, block,
                                        blocks, pieces, fetches, streams});
              });
            });
          }};
}

}  // namespace lbann::kernels::kokkos
