// A factor of a convolution as cuDNN takes it: in f32 or f64.
#pragma once

#include "kernels/conversion.hpp"
#include "kernels/device/device.hpp"
#include "kernels/kernel.hpp"
#include "kernels/kokkos/launch.hpp"

namespace lbann::kernels::cudnn {

template <class T>
struct Widen {
  T const* from;
  float* to;
  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    to[index] = convert<float>(from[index]);
  }
};

/// Numbers of 16 bits are copied to f32, since cuDNN takes none of them with results in f32. TF32,
/// in which they may be multiplied, holds all their bits (8 of bf16, 11 of f16); sums are in f32.
/// Others stay where they are.
template <class T>
class Factor {
 public:
  static constexpr bool is_copied = sizeof(T) == 2;

  explicit Factor(View const& view) : from_(view.as<T>()), count_(view.elements()) {}

  /// Of the copy, a multiple of 256.
  std::size_t copy_bytes() const {
    return is_copied ? (static_cast<std::size_t>(count_) * sizeof(float) + 255) / 256 * 256 : 0;
  }
  void copy_to(std::byte* memory) { copy_ = reinterpret_cast<float*>(memory); }

  /// Queues the copy, if there is one.
  void copy() const {
    if constexpr (is_copied) kokkos::launch(count_, 1, Widen<T>{from_, copy_});
  }
  /// Where the factor is after it.
  void const* data() const {
    if constexpr (is_copied)
      return copy_;
    else
      return from_;
  }

 private:
  T const* from_;
  std::int64_t count_;
  float* copy_ = nullptr;
};

/// The factors of a convolution and the workspace of its plan, one behind the other in the device's
/// workspace.
template <class T>
struct Factors {
  Factor<T> first, second;
  std::byte* workspace = nullptr;

  /// `bytes`: of the plan's workspace.
  Factors(Call const& call, std::int64_t bytes) : first(call.inputs[0]), second(call.inputs[1]) {
    auto* const memory = device::workspace(
        first.copy_bytes() + second.copy_bytes() + static_cast<std::size_t>(bytes),
        "a convolution");
    first.copy_to(memory);
    second.copy_to(memory + first.copy_bytes());
    workspace = memory + first.copy_bytes() + second.copy_bytes();
  }

  void copy() const {
    first.copy();
    second.copy();
  }
};

}  // namespace lbann::kernels::cudnn
