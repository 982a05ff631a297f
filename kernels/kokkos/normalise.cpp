// Portable kernel of normalise: rows in parallel, each read from memory once while it fits a cache.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/kokkos/moments_of.hpp"
#include "kernels/kokkos/streams.hpp"
#include "kernels/selection/list.hpp"
#include "schemas/functions/sqrt.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T, bool scales, bool moves>
struct Normalise {
  T const *x, *scale, *bias;
  T *y, *means, *inverses;
  std::int64_t rows, columns;
  double epsilon;
  std::int64_t at_once;  ///< rows for an index
  bool streams;          ///< y is larger than caches are, and its rows begin at whole registers

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    if (!streams) return run(index);
    for_each_row<true>(index, at_once, rows, [this](std::int64_t row) { run(row); });
  }

 private:
  KOKKOS_FUNCTION void run(std::int64_t row) const {
    T const* const from = x + row * columns;
    T* const to = y + row * columns;
    auto const moments = moments_of(from, columns, (rows - row) * columns);
    double const variance = columns > 0 ? moments.m2 / static_cast<double>(columns) : 0;
    T const mean = static_cast<T>(moments.mean);
    T const inverse = static_cast<T>(1 / functions::sqrt::value(variance + epsilon));
    means[row] = mean;
    inverses[row] = inverse;
    T const *const a = scale, *const b = bias;
    if (streams) {
      auto const center = broadcast(mean), factor = broadcast(inverse);
      for (std::int64_t i = 0; i < columns; i += lanes<T>) {
        Vector<T> value = (load_vector(from + i) - center) * factor;
        if constexpr (scales) value *= load_vector(a + i);
        if constexpr (moves) value += load_vector(b + i);
        stream_vector(to + i, value);
      }
      return;
    }
    constexpr std::int64_t step = 128;
    for (std::int64_t begin = 0; begin < columns; begin += step) {
      std::int64_t const end = begin + step < columns ? begin + step : columns;
      if (row + 1 < rows) fetch_ahead_to_write(to + columns + begin, end - begin);
#pragma omp simd
      for (std::int64_t i = begin; i < end; ++i) {
        T value = (from[i] - mean) * inverse;
        if constexpr (scales) value *= a[i];
        if constexpr (moves) value += b[i];
        to[i] = value;
      }
    }
  }
};

template <class T, bool scales, bool moves>
std::unique_ptr<Kernel> bind_normalise(Call const& call) {
  auto const& x = call.inputs[0];
  auto const rows = call.outputs[1].elements();
  auto const columns = rows > 0 ? x.elements() / rows : 0;
  bool const streams =
      is_streamed(call.outputs[0].as<T>(), rows * columns, columns, streamed_in_order());
  std::int64_t const at_once = rows_at_once(streams, columns * std::int64_t(sizeof(T)));
  return functor_kernel((rows + at_once - 1) / at_once, static_cast<double>(rows * columns) * 0.5,
                        Normalise<T, scales, moves>{
                            x.as<T>(), scales ? call.inputs[1].as<T>() : nullptr,
                            moves ? call.inputs.back().as<T>() : nullptr, call.outputs[0].as<T>(),
                            call.outputs[1].as<T>(), call.outputs[2].as<T>(), rows, columns,
                            operator_of<operators::normalise>(call).epsilon, at_once, streams});
}

}  // namespace

Implementation normalise_kernel() {
  return {"kokkos", one_type, [](Call const& call) {
            auto const& op = operator_of<operators::normalise>(call);
            return with_floating(call.inputs[0].type, [&](auto zero) {
              using T = decltype(zero);
              if (op.scale && op.bias) return bind_normalise<T, true, true>(call);
              if (op.scale) return bind_normalise<T, true, false>(call);
              return op.bias ? bind_normalise<T, false, true>(call)
                             : bind_normalise<T, false, false>(call);
            });
          }};
}

}  // namespace lbann::kernels::kokkos
