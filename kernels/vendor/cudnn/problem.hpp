// What an instruction asks of cuDNN: one of the three products of a convolution.
#pragma once

#include "kernels/shapes/window_geometry.hpp"

namespace lbann::kernels::cudnn {

/// The three tensors of y = convolution of x by kernel; the one that is computed from the others
/// names the product.
enum class Tensor : std::uint8_t { x, kernel, y };
inline constexpr std::size_t tensors = 3;

struct Problem {
  Tensor result = Tensor::y;
  WindowGeometry geometry;
  DataType type = DataType::f32;  ///< numbers are in f64 if it is f64, in f32 for all others
  bool tf32 = false;              ///< whether TF32 is allowed, or holds all bits of the factors
  std::int64_t alignment = 16;    ///< of the three tensors' addresses, in bytes; 16 at most
};

/// Of a convolution or one of its gradients.
Problem problem_of(Call const& call);

/// Whether cuDNN computes products of a convolution of this geometry: its extents fit its integers,
/// and there are any.
bool takes(WindowGeometry const& geometry);

}  // namespace lbann::kernels::cudnn
