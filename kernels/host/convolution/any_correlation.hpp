// Convolutions and their input gradients on a CPU, by the algorithm that suits the geometry.
#pragma once

#include <optional>
#include <type_traits>
#include <variant>

#include "kernels/host/convolution/chwn_correlation.hpp"
#include "kernels/host/convolution/correlation.hpp"
#include "kernels/host/convolution/depthwise.hpp"
#include "kernels/host/convolution/im2col_correlation.hpp"
#include "kernels/host/convolution/winograd/correlation.hpp"

namespace lbann::kernels::host {

/// `Depthwise`, `ChwnCorrelation`, `WinogradCorrelation` (of f32) or `Im2colCorrelation` where it
/// suits, else `Correlation`; used as the latter.
template <class T>
class AnyCorrelation {
 public:
  AnyCorrelation(WindowGeometry const& geometry, bool gradient)
      : algorithm_(choose(geometry, gradient)) {}

  std::int64_t scratch_elements(bool separate) const {
    return std::visit([&](auto const& algorithm) { return algorithm.scratch_elements(separate); },
                      algorithm_);
  }
  void run(T const* source, T const* kernel, T* result, T* scratch,
           MapEngine const* epilogue) const {
    std::visit(
        [&](auto const& algorithm) { algorithm.run(source, kernel, result, scratch, epilogue); },
        algorithm_);
  }

 private:
  static constexpr bool single = std::is_same_v<T, float>;
  using Algorithm = std::conditional_t<
      single,
      std::variant<Correlation<T>, ChwnCorrelation<T>, Im2colCorrelation<T>, Depthwise<T>,
                   WinogradCorrelation>,
      std::variant<Correlation<T>, ChwnCorrelation<T>, Im2colCorrelation<T>, Depthwise<T>>>;

  static Algorithm choose(WindowGeometry const& geometry, bool gradient) {
    if (Depthwise<T>::suits(geometry, gradient)) return Depthwise<T>(geometry, gradient);
    if constexpr (single)
      if (WinogradCorrelation::suits(geometry, gradient))
        return WinogradCorrelation(geometry, gradient);
    if (ChwnCorrelation<T>::suits(geometry, gradient))
      return ChwnCorrelation<T>(geometry, gradient);
    if (Im2colCorrelation<T>::suits(geometry, gradient))
      return Im2colCorrelation<T>(geometry, gradient);
    return Correlation<T>(geometry, gradient);
  }

  Algorithm algorithm_;
};

}  // namespace lbann::kernels::host
