// The launcher of kernels that fold many elements into one value: for each index a number of lanes
// share the elements out, and what they have found is combined in a fixed order, so that results
// depend on neither threads nor device.
#pragma once

#include "kernels/element_types.hpp"
#include "kernels/kernel.hpp"
#include "kernels/kokkos/launch.hpp"

namespace lbann::kernels::kokkos {

/// Lanes of a block, at most.
inline constexpr int most_lanes = 256;

/// Lanes that share `elements` out: a power of two, no more than have work.
constexpr int lanes_for(std::int64_t elements) {
  int lanes = 1;
  while (lanes < most_lanes && lanes < elements) lanes *= 2;
  return lanes;
}

/// Shared by all kernels below: lane `lane` of `lanes` for index `index`.
struct Lane {
  std::int64_t index;
  int lane, lanes;
};

// A functor F of folds has
//     using Value                                      of one fold, plain data
//     static constexpr int folds                       one after the other
//     Value part(Lane, int fold, Value const* before)  of one lane; results of the folds before
//     Value combine(int fold, Value a, Value b)        a is of lower lanes
//     void finish(Lane, Value const* results)          called by all lanes

#if defined(LBANN_CUDA_DEVICE)

/// Each block works on most_lanes / lanes indices at a time.
template <class F>
__global__ void __launch_bounds__(most_lanes)
    fold_in_blocks(std::int64_t count, int lanes, __grid_constant__ F const f) {
  using Value = typename F::Value;
  // As bytes, since nothing may be constructed there.
  __shared__ alignas(16) unsigned char memory[most_lanes * sizeof(Value)];
  auto* const shared = reinterpret_cast<Value*>(memory);
  int const own = static_cast<int>(threadIdx.x);
  std::int64_t const of_block = most_lanes / lanes;
  for (std::int64_t first = blockIdx.x * of_block; first < count; first += gridDim.x * of_block) {
    Lane const lane{first + own / lanes, own % lanes, lanes};
    bool const works = lane.index < count;
    Value results[F::folds];
    for (int fold = 0; fold < F::folds; ++fold) {
      if (works) shared[own] = f.part(lane, fold, results);
      __syncthreads();
      for (int half = lanes / 2; half > 0; half /= 2) {
        if (works && lane.lane < half)
          shared[own] = f.combine(fold, shared[own], shared[own + half]);
        __syncthreads();
      }
      if (works) results[fold] = shared[own - lane.lane];
      __syncthreads();
    }
    if (works) f.finish(lane, results);
  }
}

#endif

/// The same for one index on the host.
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
  std::int64_t const of_block = most_lanes / lanes;
  auto const blocks = std::min((count + of_block - 1) / of_block, std::int64_t{1} << 30);
  fold_in_blocks<<<static_cast<unsigned>(blocks), most_lanes, 0, device::stream()>>>(count, lanes,
                                                                                     f);
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
