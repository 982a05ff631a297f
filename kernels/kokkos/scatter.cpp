// Portable kernel of scatter: an element of some places of the output for each index, which goes
// through all picks in order. So results do not depend on the number of threads, and no two write
// to one place.
#include <algorithm>

#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/indexed.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T, class Index>
struct Scatter {
  T const* values;
  Index const* indices;
  T* y;
  Indexed at;
  std::int64_t range, ranges;  ///< places of an index, of all

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    auto const i = index % at.inner, first = index / at.inner % ranges * range;
    auto const last = first + range < at.count ? first + range : at.count;
    auto const row = index / at.inner / ranges;
    Index const* const picks = indices + row / at.outer * at.picks;
    T const* const from = values + row * at.picks * at.inner + i;
    T* const to = y + row * at.count * at.inner + i;
    for (auto place = first; place < last; ++place) to[place * at.inner] = T(0);
    for (std::int64_t p = 0; p < at.picks; ++p) {
      auto const place = place_of(picks[p], at.count);
      if (place >= first && place < last) to[place * at.inner] += from[p * at.inner];
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
            // Every index goes through all picks: no more of them than run at the same time.
            auto const elements = std::max<std::int64_t>(1, at.batch * at.outer * at.inner);
            auto const shares = std::max<std::int64_t>(1, 4 * concurrency() / elements);
            auto const range = std::max<std::int64_t>(1, (at.count + shares - 1) / shares);
            auto const ranges = (at.count + range - 1) / range;
            return with_floating(values.type, [&](auto zero) {
              return with_index_type(indices.type, [&](auto index) {
                using T = decltype(zero);
                using Index = decltype(index);
                return functor_kernel(at.batch * at.outer * at.inner * ranges,
                                      static_cast<double>(y.elements() + 2 * values.elements()),
                                      Scatter<T, Index>{values.as<T>(), indices.as<Index>(),
                                                        y.as<T>(), at, range, ranges});
              });
            });
          }};
}

}  // namespace lbann::kernels::kokkos
