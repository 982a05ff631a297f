// Portable kernel of normalise: rows in parallel, each read from memory once while it fits a cache.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/kokkos/moments_of.hpp"
#include "kernels/selection/list.hpp"
#include "schemas/functions/sqrt.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T>
struct Normalise {
  T const *x, *scale, *bias;  ///< the latter two may be null
  T *y, *means, *inverses;
  std::int64_t rows, columns;
  double epsilon;

  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    T const* const from = x + row * columns;
    T* const to = y + row * columns;
    auto const moments = moments_of(from, columns, (rows - row) * columns);
    double const variance = columns > 0 ? moments.m2 / static_cast<double>(columns) : 0;
    T const mean = static_cast<T>(moments.mean);
    T const inverse = static_cast<T>(1 / functions::sqrt::value(variance + epsilon));
    means[row] = mean;
    inverses[row] = inverse;
    T const *const a = scale, *const b = bias;
    if (a == nullptr && b == nullptr) {
#pragma omp simd
      for (std::int64_t i = 0; i < columns; ++i) to[i] = (from[i] - mean) * inverse;
    } else if (b == nullptr) {
#pragma omp simd
      for (std::int64_t i = 0; i < columns; ++i) to[i] = (from[i] - mean) * inverse * a[i];
    } else if (a == nullptr) {
#pragma omp simd
      for (std::int64_t i = 0; i < columns; ++i) to[i] = (from[i] - mean) * inverse + b[i];
    } else {
#pragma omp simd
      for (std::int64_t i = 0; i < columns; ++i) to[i] = (from[i] - mean) * inverse * a[i] + b[i];
    }
  }
};

}  // namespace

Implementation normalise_kernel() {
  return {"kokkos", one_type, [](Call const& call) {
            auto const& op = operator_of<operators::normalise>(call);
            auto const& x = call.inputs[0];
            auto const rows = call.outputs[1].elements();
            auto const columns = rows > 0 ? x.elements() / rows : 0;
            return with_floating(x.type, [&](auto zero) {
              using T = decltype(zero);
              return functor_kernel(
                  rows, static_cast<double>(rows * columns) * 0.5,
                  Normalise<T>{x.as<T>(), op.scale ? call.inputs[1].as<T>() : nullptr,
                               op.bias ? call.inputs.back().as<T>() : nullptr,
                               call.outputs[0].as<T>(), call.outputs[1].as<T>(),
                               call.outputs[2].as<T>(), rows, columns, op.epsilon});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
