// Lanes that share out the elements of what is folded into one value, and what a block of a GPU
// does with them.
#pragma once

#include <cstdint>

#include "schemas/functions/function.hpp"

namespace lbann::kernels {

/// Lanes of a block, at most.
inline constexpr int most_lanes = 256;

/// Lanes that share `elements` out: a power of two. Some elements for each, as long as there are
/// as many lanes as a GPU runs in step.
constexpr int lanes_for(std::int64_t elements) {
  constexpr int in_step = 32, worth_a_lane = 8;
  int lanes = 1;
  while (lanes < most_lanes && lanes < elements &&
         (lanes < in_step || lanes * worth_a_lane < elements))
    lanes *= 2;
  return lanes;
}

/// Shared by all kernels of folds: lane `lane` of `lanes` for index `index`.
struct Lane {
  std::int64_t index;
  int lane, lanes;
};

/// Blocks for `count` indices.
constexpr std::int64_t fold_blocks(std::int64_t count, int lanes) {
  std::int64_t const of_block = most_lanes / lanes;
  constexpr std::int64_t most_blocks = std::int64_t{1} << 30;
  auto const blocks = (count + of_block - 1) / of_block;
  return blocks < most_blocks ? blocks : most_blocks;
}

// A functor F of folds has
//     using Value                                      of one fold, plain data
//     static constexpr int folds                       one after the other
//     Value part(Lane, int fold, Value const* before)  of one lane; results of the folds before
//     Value combine(int fold, Value a, Value b)        a is of lower lanes
//     void finish(Lane, Value const* results)          called by all lanes

#if defined(__CUDACC__)

/// The folds of all indices in [0, count) by a grid: each block of `most_lanes` threads works on
/// most_lanes / lanes indices at a time.
template <class F>
__device__ void fold_in_blocks(std::int64_t count, int lanes, F const& f) {
  using Value = typename F::Value;
  // As bytes, since nothing may be constructed there.
  __shared__ alignas(16) unsigned char memory[most_lanes * sizeof(Value)];
  auto* const shared = reinterpret_cast<Value*>(memory);
  int const own = static_cast<int>(threadIdx.x);
  bool const in_step = lanes <= 32;
  auto const wait = [=] {
    if (in_step)
      __syncwarp();
    else
      __syncthreads();
  };
  std::int64_t const of_block = most_lanes / lanes;
  for (std::int64_t first = blockIdx.x * of_block; first < count; first += gridDim.x * of_block) {
    Lane const lane{first + own / lanes, own % lanes, lanes};
    bool const works = lane.index < count;
    Value results[F::folds];
    for (int fold = 0; fold < F::folds; ++fold) {
      if (works) shared[own] = f.part(lane, fold, results);
      wait();
      for (int half = lanes / 2; half > 0; half /= 2) {
        if (works && lane.lane < half)
          shared[own] = f.combine(fold, shared[own], shared[own + half]);
        wait();
      }
      if (works) results[fold] = shared[own - lane.lane];
      wait();
    }
    if (works) f.finish(lane, results);
  }
}

#endif

}  // namespace lbann::kernels
