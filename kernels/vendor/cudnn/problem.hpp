// One convolution as cuDNN describes it, and how its three products are computed.
#pragma once

#include <cudnn.h>

#include "kernels/device/device.hpp"
#include "kernels/shapes/window_geometry.hpp"

namespace lbann::kernels::cudnn {

/// Whether cuDNN computes a convolution of this geometry: its extents fit its integers, and there
/// are any.
bool takes(WindowGeometry const& geometry);

/// Ends the process where `status` is a failure of `call`.
void check(cudnnStatus_t status, char const* call);

/// The library on the device's stream.
cudnnHandle_t handle();

/// Memory of the device for `bytes`, shared by all kernels, which run one after the other. Graphs
/// keep its address, so that it is never returned, only replaced by a larger one.
void* workspace(std::size_t bytes);

/// The convolution x [samples, channels, ...] -> y [samples, filters, ...] by `kernel`, in T, one
/// of f32 (without TF32) and f64.
class Problem {
 public:
  Problem(WindowGeometry const& geometry, DataType type);
  ~Problem();
  Problem(Problem const&) = delete;
  Problem& operator=(Problem const&) = delete;

  cudnnTensorDescriptor_t x = nullptr, y = nullptr;
  cudnnFilterDescriptor_t kernel = nullptr;
  cudnnConvolutionDescriptor_t convolution = nullptr;
};

/// An algorithm and the bytes of workspace it needs.
template <class Algorithm>
struct Choice {
  Algorithm algorithm{};
  std::size_t bytes = 0;
};

/// The fastest of `found` (as cuDNN orders them) that gives the same bits each time and needs no
/// more than 256 MiB.
template <class Algorithm, class Performance>
Choice<Algorithm> choose(Performance const* found, int count, char const* call) {
  constexpr std::size_t most_bytes = std::size_t{256} << 20;
  for (int i = 0; i < count; ++i)
    if (found[i].status == CUDNN_STATUS_SUCCESS && found[i].determinism == CUDNN_DETERMINISTIC &&
        found[i].memory <= most_bytes)
      return {found[i].algo, found[i].memory};
  check(CUDNN_STATUS_NOT_SUPPORTED, call);
  return {};
}

}  // namespace lbann::kernels::cudnn
