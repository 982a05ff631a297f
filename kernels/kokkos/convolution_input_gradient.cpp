// Portable kernel of convolution_input_gradient: correlations of dy, one for each remainder modulo
// the stride.
#include "kernels/kokkos/host_correlation.hpp"
#include "kernels/kokkos/launch.hpp"
#include "kernels/kokkos/window_elements.hpp"
#include "kernels/kokkos/workers.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

WindowGeometry geometry_of(Call const& call) {
  auto const& op = operator_of<operators::convolution_input_gradient>(call);
  return window_geometry(call.outputs[0], call.inputs[0], taps_of(call.inputs[1]), op.stride,
                         op.padding, op.dilation, op.groups);
}

template <class T>
class InputGradient : public Kernel {
 public:
  explicit InputGradient(Call const& call)
      : geometry_(geometry_of(call)),
        correlation_(geometry_, true),
        dy_(call.inputs[0].as<T>()),
        kernel_(call.inputs[1].as<T>()),
        dx_(call.outputs[0].as<T>()),
        scratch_(reinterpret_cast<T*>(call.scratch.data())) {}

  void run() override {
    if constexpr (on_host)
      correlation_.run(dy_, kernel_, dx_, scratch_, nullptr);
    else
      for_each_element("convolution_input_gradient",
                       geometry_.samples * geometry_.channels * geometry_.entries(),
                       InputGradientElements<T>{geometry_, dy_, kernel_, dx_});
  }

  static bool fits(Call const& call) {
    return !on_host || static_cast<std::int64_t>(call.scratch.size()) >=
                           HostCorrelation<T>(geometry_of(call), true).scratch_elements(false) *
                               static_cast<std::int64_t>(sizeof(T));
  }

 private:
  WindowGeometry geometry_;
  HostCorrelation<T> correlation_;
  T const *dy_, *kernel_;
  T *dx_, *scratch_;
};

bool accepts(Call const& call) {
  auto const type = call.inputs[0].type;
  if (type == DataType::f64) return InputGradient<double>::fits(call);
  return type == DataType::f32 && InputGradient<float>::fits(call);
}

}  // namespace

Implementation convolution_input_gradient_kernel() {
  return {"kokkos", accepts, [](Call const& call) -> std::unique_ptr<Kernel> {
            if (call.inputs[0].type == DataType::f64)
              return std::make_unique<InputGradient<double>>(call);
            return std::make_unique<InputGradient<float>>(call);
          }};
}

}  // namespace lbann::kernels::kokkos
