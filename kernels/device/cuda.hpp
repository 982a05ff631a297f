// CUDA's side of the device: its stream, its errors, its launches. Only for sources of nvcc.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

namespace lbann::device {

/// The stream that kernels run on and copies are made in.
cudaStream_t stream();

/// Ends the process where `status` is a failure of `call`.
void check(cudaError_t status, char const* call);

inline constexpr int block_threads = 256;

/// A thread for each index, or for every so many where there are more than a grid has threads.
/// The functor is a parameter in constant memory: it is neither copied to each thread nor, however
/// large, to a buffer that launches share.
template <class F>
__global__ void __launch_bounds__(block_threads)
    call_for_each(std::int64_t count, __grid_constant__ F const f) {
  auto const step = static_cast<std::int64_t>(gridDim.x) * block_threads;
  for (auto i = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x; i < count;
       i += step)
    f(i);
}

/// Queues f(i) for all i in [0, count), in any order and concurrently.
template <class F>
void launch(std::int64_t count, F const& f) {
  constexpr std::int64_t most_blocks = std::int64_t{1} << 30;
  auto const blocks = std::min((count + block_threads - 1) / block_threads, most_blocks);
  call_for_each<<<static_cast<unsigned>(blocks), block_threads, 0, stream()>>>(count, f);
  check(cudaPeekAtLastError(), "launch");
}

}  // namespace lbann::device
