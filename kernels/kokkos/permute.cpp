// Portable kernel of permute: an element of the output for each index.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/permuted_axes.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class Unit>
struct PermuteElements {
  Unit const* x;
  Unit* y;
  PermutedAxes axes;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    y[index] = x[axes.source(index, axes.rank)];
  }
};

}  // namespace

Implementation permute_kernel() {
  return {"kokkos", [](Call const&) { return true; },
          [](Call const& call) {
            auto const &x = call.inputs[0], &y = call.outputs[0];
            auto const axes = permuted_axes(x, operator_of<operators::permute>(call).axes);
            return with_unit(bytes_of(x.type), [&](auto unit) {
              using Unit = decltype(unit);
              return functor_kernel(axes.elements, static_cast<double>(axes.elements),
                                    PermuteElements<Unit>{x.as<Unit>(), y.as<Unit>(), axes});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
