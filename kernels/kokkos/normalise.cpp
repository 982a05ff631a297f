// Portable kernel of normalise: a row for each block of lanes.
#include "kernels/kokkos/folds.hpp"
#include "kernels/kokkos/moments.hpp"
#include "kernels/selection/list.hpp"
#include "schemas/functions/sqrt.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T>
struct Normalise {
  using Value = Moments;
  static constexpr int folds = 1;

  T const *x, *scale, *bias;  ///< scale and bias are null if there are none
  T *y, *means, *inverses;
  std::int64_t columns;
  double epsilon;

  KOKKOS_FUNCTION Moments part(Lane const& lane, int, Moments const*) const {
    T const* const from = x + lane.index * columns;
    return strided_moments(lane.lane, lane.lanes, columns,
                           [=](std::int64_t i) { return static_cast<double>(from[i]); });
  }

  KOKKOS_FUNCTION Moments combine(int, Moments a, Moments const& b) const {
    a.merge(b);
    return a;
  }

  KOKKOS_FUNCTION void finish(Lane const& lane, Moments const* all) const {
    T const* const from = x + lane.index * columns;
    T* const to = y + lane.index * columns;
    double const variance = all->count > 0 ? all->m2 / all->count : 0;
    T const mean = static_cast<T>(all->mean);
    T const inverse = static_cast<T>(1 / functions::sqrt::value(variance + epsilon));
    if (lane.lane == 0) {
      means[lane.index] = mean;
      inverses[lane.index] = inverse;
    }
    for (std::int64_t i = lane.lane; i < columns; i += lane.lanes) {
      T value = (from[i] - mean) * inverse;
      if (scale != nullptr) value *= scale[i];
      if (bias != nullptr) value += bias[i];
      to[i] = value;
    }
  }
};

}  // namespace

Implementation normalise_kernel() {
  return {
      "kokkos", one_type, [](Call const& call) {
        auto const& op = operator_of<operators::normalise>(call);
        auto const& x = call.inputs[0];
        auto const rows = call.outputs[1].elements();
        return with_floating(x.type, [&](auto zero) {
          using T = decltype(zero);
          return folds_kernel(
              rows, lanes_for(rows > 0 ? x.elements() / rows : 0),
              static_cast<double>(2 * x.elements()),
              Normalise<T>{x.as<T>(), op.scale ? call.inputs[1].as<T>() : nullptr,
                           op.bias ? call.inputs.back().as<T>() : nullptr, call.outputs[0].as<T>(),
                           call.outputs[1].as<T>(), call.outputs[2].as<T>(),
                           rows > 0 ? x.elements() / rows : 0, op.epsilon});
        });
      }};
}

}  // namespace lbann::kernels::kokkos
