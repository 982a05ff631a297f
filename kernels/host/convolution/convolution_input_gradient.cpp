// CPU kernel of convolution_input_gradient: correlations of dy, one for each remainder modulo the
// stride.
#include "kernels/host/convolution/any_correlation.hpp"
#include "kernels/host/sixteen_bit/convolution.hpp"
#include "kernels/host/sixteen_bit/product_implementation.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::host {

namespace {

WindowGeometry geometry_of_call(Call const& call) {
  return geometry_of(operator_of<operators::convolution_input_gradient>(call), call.outputs[0],
                     call.inputs[0], call.inputs[1]);
}

template <class T>
class InputGradient : public Kernel {
 public:
  explicit InputGradient(Call const& call)
      : correlation_(geometry_of_call(call), true),
        dy_(call.inputs[0].as<T>()),
        kernel_(call.inputs[1].as<T>()),
        dx_(call.outputs[0].as<T>()),
        scratch_(reinterpret_cast<T*>(call.scratch.data())) {}

  void run() override { correlation_.run(dy_, kernel_, dx_, scratch_, nullptr); }

  static bool fits(Call const& call) {
    return static_cast<std::int64_t>(call.scratch.size()) >=
           AnyCorrelation<T>(geometry_of_call(call), true).scratch_elements(false) *
               static_cast<std::int64_t>(sizeof(T));
  }

 private:
  AnyCorrelation<T> correlation_;
  T const *dy_, *kernel_;
  T *dx_, *scratch_;
};

}  // namespace

Implementation convolution_input_gradient_kernel() {
  return ProductImplementation<InputGradient, sixteen_bit::takes_input_gradient,
                               sixteen_bit::make_input_gradient>::get();
}

}  // namespace lbann::kernels::host
