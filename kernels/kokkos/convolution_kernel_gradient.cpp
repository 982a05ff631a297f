// Portable kernel of convolution_kernel_gradient: matrix products on a CPU, or blocks of sums in
// registers where windows are narrow; a tap for each thread of a device.
#include <variant>

#include "kernels/kokkos/correlation_gradient.hpp"
#include "kernels/kokkos/launch.hpp"
#include "kernels/kokkos/plane_gradient.hpp"
#include "kernels/kokkos/window_elements.hpp"
#include "kernels/kokkos/window_products.hpp"
#include "kernels/kokkos/workers.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

WindowGeometry geometry_of(Call const& call) {
  auto const& op = operator_of<operators::convolution_kernel_gradient>(call);
  return window_geometry(call.inputs[0], call.inputs[1], taps_of(call.outputs[0]), op.stride,
                         op.padding, op.dilation, op.groups);
}

/// By matrix products or by sums in registers, of many channels or of single ones.
template <class T>
class HostGradient {
 public:
  explicit HostGradient(WindowGeometry const& geometry) : way_(choose(geometry)) {}

  std::int64_t scratch_elements() const {
    return std::visit([](auto const& way) { return way.scratch_elements(); }, way_);
  }
  void run(T const* x, T const* dy, T* dkernel, T* scratch) const {
    std::visit([&](auto const& way) { way.run(x, dy, dkernel, scratch); }, way_);
  }

 private:
  using Way = std::variant<CorrelationGradient<T>, WindowProducts<T>, PlaneGradient<T>>;

  static Way choose(WindowGeometry const& geometry) {
    if (PlaneGradient<T>::suits(geometry)) return PlaneGradient<T>(geometry);
    if (WindowProducts<T>::suits(geometry)) return WindowProducts<T>(geometry);
    return CorrelationGradient<T>(geometry);
  }

  Way way_;
};

template <class T>
class KernelGradient : public Kernel {
 public:
  explicit KernelGradient(Call const& call)
      : geometry_(geometry_of(call)),
        gradient_(geometry_),
        x_(call.inputs[0].as<T>()),
        dy_(call.inputs[1].as<T>()),
        dkernel_(call.outputs[0].as<T>()),
        scratch_(reinterpret_cast<T*>(call.scratch.data())) {}

  void run() override {
    if constexpr (on_host)
      gradient_.run(x_, dy_, dkernel_, scratch_);
    else
      for_each_element("convolution_kernel_gradient",
                       geometry_.filters * geometry_.depth() * geometry_.taps(),
                       KernelGradientElements<T>{geometry_, x_, dy_, dkernel_});
  }

  static bool fits(Call const& call) {
    return !on_host || static_cast<std::int64_t>(call.scratch.size()) >=
                           HostGradient<T>(geometry_of(call)).scratch_elements() *
                               static_cast<std::int64_t>(sizeof(T));
  }

 private:
  WindowGeometry geometry_;
  HostGradient<T> gradient_;
  T const *x_, *dy_;
  T *dkernel_, *scratch_;
};

bool accepts(Call const& call) {
  auto const type = call.inputs[0].type;
  if (type == DataType::f64) return KernelGradient<double>::fits(call);
  return type == DataType::f32 && KernelGradient<float>::fits(call);
}

}  // namespace

Implementation convolution_kernel_gradient_kernel() {
  return {"kokkos", accepts, [](Call const& call) -> std::unique_ptr<Kernel> {
            if (call.inputs[0].type == DataType::f64)
              return std::make_unique<KernelGradient<double>>(call);
            return std::make_unique<KernelGradient<float>>(call);
          }};
}

}  // namespace lbann::kernels::kokkos
