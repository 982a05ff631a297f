// CPU kernel of convolution_kernel_gradient: im2col GEMM, products without padding of small images,
// sums in registers where windows are narrow, or depthwise.
#include <type_traits>
#include <variant>

#include "kernels/host/convolution/correlation_weight_gradient.hpp"
#include "kernels/host/convolution/depthwise_weight_gradient.hpp"
#include "kernels/host/convolution/hwnc_weight_gradient.hpp"
#include "kernels/host/convolution/im2col_weight_gradient.hpp"
#include "kernels/host/convolution/winograd/weight_gradient.hpp"
#include "kernels/host/sixteen_bit/convolution.hpp"
#include "kernels/host/sixteen_bit/product_implementation.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::host {

namespace {

WindowGeometry geometry_of_call(Call const& call) {
  return geometry_of(operator_of<operators::convolution_kernel_gradient>(call), call.inputs[0],
                     call.inputs[1], call.outputs[0]);
}

/// The algorithm that is fastest for a geometry.
template <class T>
class WeightGradient {
 public:
  explicit WeightGradient(WindowGeometry const& geometry) : algorithm_(choose(geometry)) {}

  std::int64_t scratch_elements() const {
    return std::visit([](auto const& algorithm) { return algorithm.scratch_elements(); },
                      algorithm_);
  }
  void run(T const* x, T const* dy, T* dkernel, T* scratch) const {
    std::visit([&](auto const& algorithm) { algorithm.run(x, dy, dkernel, scratch); }, algorithm_);
  }

 private:
  static constexpr bool single = std::is_same_v<T, float>;
  using Algorithm = std::conditional_t<
      single,
      std::variant<CorrelationWeightGradient<T>, Im2colWeightGradient<T>, HwncWeightGradient<T>,
                   DepthwiseWeightGradient<T>, WinogradWeightGradient>,
      std::variant<CorrelationWeightGradient<T>, Im2colWeightGradient<T>, HwncWeightGradient<T>,
                   DepthwiseWeightGradient<T>>>;

  static Algorithm choose(WindowGeometry const& geometry) {
    if (DepthwiseWeightGradient<T>::suits(geometry)) return DepthwiseWeightGradient<T>(geometry);
    if constexpr (single)
      if (WinogradWeightGradient::suits(geometry)) return WinogradWeightGradient(geometry);
    if (HwncWeightGradient<T>::suits(geometry)) return HwncWeightGradient<T>(geometry);
    if (Im2colWeightGradient<T>::suits(geometry)) return Im2colWeightGradient<T>(geometry);
    return CorrelationWeightGradient<T>(geometry);
  }

  Algorithm algorithm_;
};

template <class T>
class KernelGradient : public Kernel {
 public:
  explicit KernelGradient(Call const& call)
      : gradient_(geometry_of_call(call)),
        x_(call.inputs[0].as<T>()),
        dy_(call.inputs[1].as<T>()),
        dkernel_(call.outputs[0].as<T>()),
        scratch_(reinterpret_cast<T*>(call.scratch.data())) {}

  void run() override { gradient_.run(x_, dy_, dkernel_, scratch_); }

  static bool fits(Call const& call) {
    return static_cast<std::int64_t>(call.scratch.size()) >=
           WeightGradient<T>(geometry_of_call(call)).scratch_elements() *
               static_cast<std::int64_t>(sizeof(T));
  }

 private:
  WeightGradient<T> gradient_;
  T const *x_, *dy_;
  T *dkernel_, *scratch_;
};

}  // namespace

Implementation convolution_kernel_gradient_kernel() {
  return ProductImplementation<KernelGradient, sixteen_bit::takes_kernel_gradient,
                               sixteen_bit::make_kernel_gradient>::get();
}

}  // namespace lbann::kernels::host
