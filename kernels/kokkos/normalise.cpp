// Portable kernel of normalise: a row for each index.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/selection/list.hpp"
#include "schemas/functions/sqrt.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T>
struct Normalise {
  T const *x, *scale, *bias;  ///< scale and bias are null if there are none
  T *y, *means, *inverses;
  std::int64_t columns;
  double epsilon;

  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    T const* const from = x + row * columns;
    T* const to = y + row * columns;
    // Deviations from the first number: see the portable kernel of moments.
    double const first = columns > 0 ? static_cast<double>(from[0]) : 0;
    double sum = 0, squares = 0;
    for (std::int64_t i = 0; i < columns; ++i) {
      double const apart = static_cast<double>(from[i]) - first;
      sum += apart;
      squares += apart * apart;
    }
    double const count = columns > 0 ? static_cast<double>(columns) : 1;
    double const m2 = squares - sum * sum / count;
    double const variance = m2 > 0 ? m2 / count : 0;
    T const mean = static_cast<T>(first + sum / count);
    T const inverse = static_cast<T>(1 / functions::sqrt::value(variance + epsilon));
    means[row] = mean;
    inverses[row] = inverse;
    for (std::int64_t i = 0; i < columns; ++i) {
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
          return functor_kernel(
              rows, static_cast<double>(2 * x.elements()),
              Normalise<T>{x.as<T>(), op.scale ? call.inputs[1].as<T>() : nullptr,
                           op.bias ? call.inputs.back().as<T>() : nullptr, call.outputs[0].as<T>(),
                           call.outputs[1].as<T>(), call.outputs[2].as<T>(),
                           rows > 0 ? x.elements() / rows : 0, op.epsilon});
        });
      }};
}

}  // namespace lbann::kernels::kokkos
