// CPU kernel of softmax_gradient: rows in parallel.
#include "kernels/host/functor_kernel.hpp"
#include "kernels/host/non_temporal.hpp"
#include "kernels/host/prefetch.hpp"
#include "kernels/host/softmax/strided_blocks.hpp"
#include "kernels/kokkos/lanes.hpp"
#include "kernels/selection/list.hpp"
#include "schemas/functions/exp.hpp"

namespace lbann::kernels::host {

namespace {

template <class T>
struct SoftmaxGradient {
  T const *y, *dy;
  T* dx;
  std::int64_t columns;
  T minimum;  ///< entries of y up to it were clamped; below all of them if there is no clamp
  bool logarithm;

  void operator()(std::int64_t row) const {
    T const *const p = y + row * columns, *const g = dy + row * columns;
    T* const to = dx + row * columns;
    if (logarithm) {
      T const sum =
          static_cast<T>(kokkos::lane_sum<T>(columns, [=](std::int64_t i) { return g[i]; }));
#pragma omp simd
      for (std::int64_t i = 0; i < columns; ++i) to[i] = g[i] - functions::exp::value(p[i]) * sum;
      return;
    }
    T const low = minimum;
    T const sum = static_cast<T>(kokkos::lane_sum<T>(columns, [=](std::int64_t i) {
      T const product = p[i] * g[i];
      return p[i] <= low ? T(0) : product;
    }));
#pragma omp simd
    for (std::int64_t i = 0; i < columns; ++i) {
      T const gradient = p[i] * (g[i] - sum);
      to[i] = p[i] <= low ? T(0) : gradient;
    }
  }
};

/// The same for rows whose entries are `stride` apart: one block of neighbouring rows for each
/// index. Large tensors are copied to a buffer where a block fits it: entries a power of two apart
/// evict one another from the caches.
template <class T>
struct StridedSoftmaxGradient {
  T const *y, *dy;
  T* dx;
  StridedBlocks blocks;
  T minimum;
  bool logarithm;
  bool large, non_temporal;  ///< larger than the caches; results use non-temporal stores

  void operator()(std::int64_t index) const {
    auto const block = blocks[index];
    auto const next = blocks[index + 1 < blocks.count ? index + 1 : index];
    std::int64_t const stride = blocks.stride;
    int const count = block.count;
    alignas(64) T p_copy[StridedBlocks::copied<T>], g_copy[StridedBlocks::copied<T>];
    bool const fits = large && blocks.fit<T>();
    T const low = minimum;
    bool const logs = logarithm;
    double sums[StridedBlocks::most];
    for (int i = 0; i < count; ++i) sums[i] = 0;
    for (std::int64_t begin = 0; begin < blocks.columns; begin += StridedBlocks::summed) {
      std::int64_t const rest = blocks.columns - begin;
      std::int64_t const end =
          begin + (rest < StridedBlocks::summed ? rest : StridedBlocks::summed);
      T parts[StridedBlocks::most];
      for (int i = 0; i < count; ++i) parts[i] = 0;
      for (std::int64_t c = begin; c < end; ++c) {
        if (large) {
          std::int64_t const beyond = c + prefetch_distance - blocks.columns;
          auto const soon = beyond < 0 ? block.begin + (c + prefetch_distance) * stride
                                       : next.begin + (beyond < c ? beyond : c) * stride;
          prefetch(y + soon, next.count < count ? next.count : count);
          prefetch(dy + soon, next.count < count ? next.count : count);
        }
        T const *const p = y + block.begin + c * stride, *const g = dy + block.begin + c * stride;
        if (fits) {
          copy_run(p_copy + c * blocks.width, p, count, false);
          copy_run(g_copy + c * blocks.width, g, count, false);
        }
#pragma omp simd
        for (int i = 0; i < count; ++i) {
          T const weight = logs ? T(1) : p[i] <= low ? T(0) : p[i];
          parts[i] += weight * g[i];
        }
      }
      for (int i = 0; i < count; ++i) sums[i] += static_cast<double>(parts[i]);
    }
    T totals[StridedBlocks::most];
    for (int i = 0; i < count; ++i) totals[i] = static_cast<T>(sums[i]);
    for (std::int64_t c = 0; c < blocks.columns; ++c) {
      std::int64_t const at = block.begin + c * stride, copy = c * blocks.width;
      T const* const p = fits ? p_copy + copy : y + at;
      T const* const g = fits ? g_copy + copy : dy + at;
      T* const to = fits ? p_copy + copy : dx + at;
      if (logs) {
#pragma omp simd
        for (int i = 0; i < count; ++i) to[i] = g[i] - functions::exp::value(p[i]) * totals[i];
      } else {
#pragma omp simd
        for (int i = 0; i < count; ++i) {
          T const gradient = p[i] * (g[i] - totals[i]);
          to[i] = p[i] <= low ? T(0) : gradient;
        }
      }
      if (fits) copy_run(dx + at, to, count, non_temporal);
    }
    if (fits && non_temporal) store_fence();
  }

 private:
  /// Columns between the one that is read and the one that is prefetched.
  static constexpr std::int64_t prefetch_distance = 8;
};

}  // namespace

Implementation softmax_gradient_kernel() {
  return {"host", one_type, [](Call const& call) {
            auto const& op = operator_of<operators::softmax_gradient>(call);
            auto const& y = call.inputs[0];
            auto const layout = strided_rows(y, op.axis, op.inner);
            auto const cost = static_cast<double>(layout.rows * layout.columns) * 0.5;
            return with_floating(y.type, [&](auto zero) -> std::unique_ptr<Kernel> {
              using T = decltype(zero);
              auto const* const dy = call.inputs[1].as<T>();
              auto* const dx = call.outputs[0].as<T>();
              auto const minimum = op.minimum > 0 ? static_cast<T>(op.minimum) : T(-1);
              if (layout.stride == 1)
                return functor_kernel(
                    layout.rows, cost,
                    SoftmaxGradient<T>{y.as<T>(), dy, dx, layout.columns, minimum, op.logarithm});
              StridedBlocks const blocks(layout, sizeof(T));
              bool const large = y.elements() * std::int64_t(sizeof(T)) >= non_temporal_bytes;
              return functor_kernel(
                  blocks.count, cost,
                  StridedSoftmaxGradient<T>{
                      y.as<T>(), dy, dx, blocks, minimum, op.logarithm, large,
                      takes_non_temporal_stores(dx, y.elements(), layout.stride)});
            });
          }};
}

}  // namespace lbann::kernels::host
