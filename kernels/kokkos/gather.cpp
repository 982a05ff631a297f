// Portable kernel of gather: an element of the output for each index.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/division.hpp"
#include "kernels/shapes/indexed.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class Unit, class Index>
struct Gather {
  Unit const* values;
  Index const* indices;
  Unit* y;
  Indexed at;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    auto const [picked, i] = divide(index, at.inner);
    auto const [row, pick] = divide(picked, at.picks);
    auto const batch = divide(row, at.outer).quotient;
    auto const place = place_of(indices[batch * at.picks + pick], at.count);
    y[index] = place < 0 ? Unit(0) : values[(row * at.count + place) * at.inner + i];
  }
};

}  // namespace

Implementation gather_kernel() {
  return {"kokkos", [](Call const& call) { return is_index_type(call.inputs[1].type); },
          [](Call const& call) {
            auto const& op = operator_of<operators::gather>(call);
            auto const &values = call.inputs[0], &indices = call.inputs[1], &y = call.outputs[0];
            auto const at = indexed_of(values, indices, op.axis, op.batch_axes);
            // Elements are moved by their size; a zero has the same bits in every type.
            return with_unit(bytes_of(values.type), [&](auto unit) {
              return with_index_type(indices.type, [&](auto index) {
                using Unit = decltype(unit);
                using Index = decltype(index);
                return functor_kernel(
                    y.elements(), static_cast<double>(y.elements()),
                    Gather<Unit, Index>{values.as<Unit>(), indices.as<Index>(), y.as<Unit>(), at});
              });
            });
          }};
}

}  // namespace lbann::kernels::kokkos
