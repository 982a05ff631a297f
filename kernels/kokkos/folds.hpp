// The launcher of kernels that fold many elements into one value: for each index a number of lanes
// share the elements out, and what they have found is combined in a fixed order, so that results
// depend on neither threads nor device.
#pragma once

#include "kernels/element_types.hpp"
#include "kernels/folds/lanes.hpp"
#include "kernels/kernel.hpp"
#include "kernels/kokkos/launch.hpp"

namespace lbann::kernels::kokkos {

#if defined(LBANN_CUDA_DEVICE)

template <class F>
__global__ void __launch_bounds__(most_lanes)
    call_folds(std::int64_t count, int lanes, __grid_constant__ F const f) {
  fold_in_blocks(count, lanes, f);
}

#endif

/// The folds of one index on the host.
template <class F>
void fold_on_host(std::int64_t index, int lanes, F const& f) {
  using Value = typename F::Value;
  Value parts[most_lanes], results[F::folds];
  for (int fold = 0; fold < F::folds; ++fold) {
    // The first apart: GCC does not see that there is one (-Wmaybe-uninitialized).
    parts[0] = f.part(Lane{index, 0, lanes}, fold, results);
    for (int lane = 1; lane < lanes; ++lane)
      parts[lane] = f.part(Lane{index, lane, lanes}, fold, results);
    for (int half = lanes / 2; half > 0; half /= 2)
      for (int lane = 0; lane < half; ++lane)
        parts[lane] = f.combine(fold, parts[lane], parts[lane + half]);
    results[fold] = parts[0];
  }
  for (int lane = 0; lane < lanes; ++lane) f.finish(Lane{index, lane, lanes}, results);
}

/// Folds for all indices in [0, count), each of `lanes` lanes; `cost` as in `launch`.
template <class F>
void launch_folds(std::int64_t count, int lanes, [[maybe_unused]] double cost, F const& f) {
  if (count <= 0) return;
#if defined(LBANN_CUDA_DEVICE)
  call_folds<<<static_cast<unsigned>(fold_blocks(count, lanes)), most_lanes, 0, device::stream()>>>(
      count, lanes, f);
  device::check(cudaPeekAtLastError(), "launch");
#else
  launch(count, cost, [=](std::int64_t index) { fold_on_host(index, lanes, f); });
#endif
}

/// A kernel of one launch of folds.
template <class Functor>
class FoldsKernel : public Kernel {
 public:
  FoldsKernel(std::int64_t count, int lanes, double cost, Functor functor)
      : count_(count), lanes_(lanes), cost_(cost), functor_(functor) {}
  void run() override { launch_folds(count_, lanes_, cost_, functor_); }

 private:
  std::int64_t count_;
  int lanes_;
  double cost_;
  Functor functor_;
};

template <class Functor>
std::unique_ptr<Kernel> folds_kernel(std::int64_t count, int lanes, double cost, Functor functor) {
  return std::make_unique<FoldsKernel<Functor>>(count, lanes, cost, functor);
}

}  // namespace lbann::kernels::kokkos
