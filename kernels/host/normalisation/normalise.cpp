// CPU kernel of normalise: rows in parallel, each read from memory once if it fits a cache.
#include "kernels/host/functor_kernel.hpp"
#include "kernels/host/non_temporal.hpp"
#include "kernels/host/normalisation/row_moments.hpp"
#include "kernels/selection/list.hpp"
#include "schemas/functions/sqrt.hpp"

namespace lbann::kernels::host {

namespace {

template <class T, bool scales, bool moves>
struct Normalise {
  T const *x, *scale, *bias;
  T *y, *means, *inverses;
  std::int64_t rows, columns;
  double epsilon;
  std::int64_t group;  ///< rows of an index, between two store fences
  bool non_temporal;   ///< y is large, and its rows are aligned to whole registers

  void operator()(std::int64_t index) const {
    if (!non_temporal) return run(index);
    for_each_row<true>(index, group, rows, [this](std::int64_t row) { run(row); });
  }

 private:
  void run(std::int64_t row) const {
    T const* const from = x + row * columns;
    T* const to = y + row * columns;
    auto const moments = moments_of(from, columns, (rows - row) * columns);
    double const variance = columns > 0 ? moments.m2 / static_cast<double>(columns) : 0;
    T const mean = static_cast<T>(moments.mean);
    T const inverse = static_cast<T>(1 / functions::sqrt::value(variance + epsilon));
    means[row] = mean;
    inverses[row] = inverse;
    if (non_temporal)
      write_non_temporal(from, mean, inverse, to);
    else
      write(from, mean, inverse, to, row + 1 == rows);
  }

  /// y of one number or of one register of numbers; `load` gets those of scale and bias.
  template <class V, class Load>
  static V normalised(V x, V mean, V inverse, T const* scale, T const* bias, Load const& load) {
    V value = (x - mean) * inverse;
    if constexpr (scales) value *= load(scale);
    if constexpr (moves) value += load(bias);
    return value;
  }

  /// Prefetches the next row of y meanwhile.
  void write(T const* from, T mean, T inverse, T* to, bool is_last) const {
    T const *const a = scale, *const b = bias;
    constexpr std::int64_t step = 128;
    for (std::int64_t begin = 0; begin < columns; begin += step) {
      std::int64_t const end = begin + step < columns ? begin + step : columns;
      if (!is_last) prefetch_for_write(to + columns + begin, end - begin);
#pragma omp simd
      for (std::int64_t i = begin; i < end; ++i)
        to[i] = normalised(from[i], mean, inverse, a + i, b + i, [](T const* x) { return *x; });
    }
  }

  void write_non_temporal(T const* from, T mean, T inverse, T* to) const {
    auto const center = broadcast(mean), factor = broadcast(inverse);
    auto const load = [](T const* x) { return load_vector(x); };
    for (std::int64_t i = 0; i < columns; i += lanes<T>)
      store_non_temporal(
          to + i, normalised(load_vector(from + i), center, factor, scale + i, bias + i, load));
  }
};

template <class T, bool scales, bool moves>
std::unique_ptr<Kernel> bind_normalise(Call const& call) {
  auto const& x = call.inputs[0];
  auto const rows = call.outputs[1].elements();
  auto const columns = rows > 0 ? x.elements() / rows : 0;
  bool const non_temporal = takes_non_temporal_stores(call.outputs[0].as<T>(), rows * columns,
                                                      columns, non_temporal_bytes_in_order());
  std::int64_t const group = rows_per_fence(non_temporal, columns * std::int64_t(sizeof(T)));
  return functor_kernel((rows + group - 1) / group, static_cast<double>(rows * columns) * 0.5,
                        Normalise<T, scales, moves>{
                            x.as<T>(), scales ? call.inputs[1].as<T>() : nullptr,
                            moves ? call.inputs.back().as<T>() : nullptr, call.outputs[0].as<T>(),
                            call.outputs[1].as<T>(), call.outputs[2].as<T>(), rows, columns,
                            operator_of<operators::normalise>(call).epsilon, group, non_temporal});
}

}  // namespace

Implementation normalise_kernel() {
  return {"host", one_type, [](Call const& call) {
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

}  // namespace lbann::kernels::host
