// Portable kernel of scatter: each part of the output belongs to one thread, which goes through all
// indices in their order. So nothing depends on the number of threads, and no two write to one
// place.
#include "kernels/indexed.hpp"
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/kokkos/indices.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

/// Elements of an inner run that one thread adds.
constexpr std::int64_t added_at_once = on_host ? 64 : 1;

template <class T, class Index>
struct Scatter {
  T const* values;
  Index const* indices;
  T* y;
  Indexed at;
  std::int64_t range, ranges, pieces;  ///< places at once, of a row; parts of the inner run

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    std::int64_t const row = index / pieces / ranges;
    std::int64_t const first = index / pieces % ranges * range;
    std::int64_t const last = first + range < at.count ? first + range : at.count;
    std::int64_t const begin = index % pieces * added_at_once;
    std::int64_t const length = begin + added_at_once < at.inner ? added_at_once : at.inner - begin;
    Index const* const picks = indices + row / at.outer * at.picks;
    T const* const from = values + row * at.picks * at.inner + begin;
    T* const to = y + row * at.count * at.inner + begin;
    if (length == at.inner) {
      for (std::int64_t i = first * at.inner; i < last * at.inner; ++i) to[i] = T(0);
    } else {
      for (std::int64_t place = first; place < last; ++place)
        for (std::int64_t i = 0; i < length; ++i) to[place * at.inner + i] = T(0);
    }
    for (std::int64_t p = 0; p < at.picks; ++p) {
      auto const place = place_of(picks[p], at.count);
      if (place < first || place >= last) continue;
      T* const sum = to + place * at.inner;
      T const* const addend = from + p * at.inner;
      for (std::int64_t i = 0; i < length; ++i) sum[i] += addend[i];
    }
  }
};

}  // namespace

Implementation scatter_kernel() {
  return {"kokkos",
          [](Call const& call) {
            auto const type = call.inputs[0].type;
            return (type == DataType::f32 || type == DataType::f64) &&
                   is_index_type(call.inputs[1].type);
          },
          [](Call const& call) {
            auto const& op = operator_of<operators::scatter>(call);
            auto const &values = call.inputs[0], &indices = call.inputs[1], &y = call.outputs[0];
            auto const at = indexed_of(y, indices, op.axis, op.batch_axes);
            return with_floating(values.type, [&](auto zero) {
              return with_index_type(indices.type, [&](auto index) {
                using T = decltype(zero);
                using Index = decltype(index);
                auto const pieces = (at.inner + added_at_once - 1) / added_at_once;
                auto const rows = at.batch * at.outer;
                // Places are shared out only where there are not enough rows and pieces.
                auto const wanted =
                    4 * static_cast<std::int64_t>(Kokkos::DefaultExecutionSpace().concurrency());
                auto const shares =
                    std::max<std::int64_t>(1, wanted / std::max<std::int64_t>(1, rows * pieces));
                auto const range =
                    std::max<std::int64_t>(on_host ? 256 : 1, (at.count + shares - 1) / shares);
                auto const ranges = (at.count + range - 1) / range;
                return functor_kernel(rows * ranges * pieces,
                                      static_cast<double>(y.elements() + 2 * values.elements()),
                                      Scatter<T, Index>{values.as<T>(), indices.as<Index>(),
                                                        y.as<T>(), at, range, ranges, pieces});
              });
            });
          }};
}

}  // namespace lbann::kernels::kokkos
