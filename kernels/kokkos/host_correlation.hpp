// Convolutions and their gradients towards the data on a CPU, of many channels or of single ones.
#pragma once

#include <optional>
#include <variant>

#include "kernels/kokkos/correlation.hpp"
#include "kernels/kokkos/depthwise.hpp"

namespace lbann::kernels::kokkos {

/// `Depthwise` where it suits, else `Correlation`; both are used as the latter.
template <class T>
class HostCorrelation {
 public:
  HostCorrelation(WindowGeometry const& geometry, bool gradient)
      : way_(choose(geometry, gradient)) {}

  std::int64_t scratch_elements(bool separate) const {
    return std::visit([&](auto const& way) { return way.scratch_elements(separate); }, way_);
  }
  void run(T const* source, T const* kernel, T* result, T* scratch,
           MapEngine const* epilogue) const {
    std::visit([&](auto const& way) { way.run(source, kernel, result, scratch, epilogue); }, way_);
  }

 private:
  using Way = std::variant<Correlation<T>, Depthwise<T>>;

  static Way choose(WindowGeometry const& geometry, bool gradient) {
    if (Depthwise<T>::suits(geometry, gradient)) return Depthwise<T>(geometry, gradient);
    return Correlation<T>(geometry, gradient);
  }

  Way way_;
};

}  // namespace lbann::kernels::kokkos
