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

/// The convolution x [samples, channels, ...] -> y [samples, filters, ...] by `kernel`, of factors
/// of `type`: in f64, or in f32 for all others.
class Problem {
 public:
  Problem(WindowGeometry const& geometry, DataType type);
  ~Problem();
  Problem(Problem const&) = delete;
  Problem& operator=(Problem const&) = delete;

  cudnnTensorDescriptor_t x = nullptr, y = nullptr;
  cudnnFilterDescriptor_t kernel = nullptr;
  cudnnConvolutionDescriptor_t convolution = nullptr;
  bool tf32 = false;  ///< whether TF32 is allowed, or holds all bits of the factors
};

/// An algorithm and the bytes of workspace it needs.
template <class Algorithm>
struct Choice {
  Algorithm algorithm{};
  std::size_t bytes = 0;
};

/// The fastest algorithm of those that `find(Performance* found, int most, int* count)` orders that
/// gives the same bits each time and needs no more than 256 MiB: in TF32 if `problem` takes it and
/// there is one, else in f32. `call` is what `find` calls.
template <class Algorithm, class Performance, class Find>
Choice<Algorithm> choose(Problem const& problem, char const* call, Find const& find) {
  constexpr std::size_t most_bytes = std::size_t{256} << 20;
  constexpr int most = 16;
  for (bool const tf32 : {problem.tf32, false}) {
    check(cudnnSetConvolutionMathType(problem.convolution,
                                      tf32 ? CUDNN_DEFAULT_MATH : CUDNN_FMA_MATH),
          "cudnnSetConvolutionMathType");
    Performance found[most];
    int count = 0;
    check(find(found, most, &count), call);
    for (int i = 0; i < count; ++i)
      if (found[i].status == CUDNN_STATUS_SUCCESS && found[i].determinism == CUDNN_DETERMINISTIC &&
          found[i].memory <= most_bytes)
        return {found[i].algo, found[i].memory};
  }
  check(CUDNN_STATUS_NOT_SUPPORTED, call);
  return {};
}

}  // namespace lbann::kernels::cudnn
