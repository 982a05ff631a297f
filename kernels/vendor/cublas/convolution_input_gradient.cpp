// convolution_input_gradient by kernels of one tap, by cuBLAS.
#include "kernels/element_types.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/vendor/cublas/pointwise.hpp"

namespace lbann::kernels::cublas {

namespace {

WindowGeometry geometry(Call const& call) {
  auto const& op = operator_of<operators::convolution_input_gradient>(call);
  return geometry_of(op, call.outputs[0], call.inputs[0], call.inputs[1]);
}

template <class T>
class InputGradient : public Kernel {
 public:
  using Sum = ComputeType<T>;

  explicit InputGradient(Call const& call)
      : product_(geometry(call)),
        dy_(call.inputs[0].as<T>()),
        kernel_(call.inputs[1].as<T>()),
        dx_(call.outputs[0].as<Sum>()),
        bytes_(call.outputs[0].bytes()),
        copy_(device::workspace(product_.template seen_bytes<Sum>(), "a convolution")) {}

  void run() override {
    if (product_.sees_all()) return product_.input_gradient(dy_, kernel_, dx_);
    auto* const seen = reinterpret_cast<Sum*>(copy_);
    product_.input_gradient(dy_, kernel_, seen);
    device::clear(dx_, bytes_);
    kokkos::launch(product_.seen(), 1, PutSeen<Sum>{SeenEntries(product_.geometry()), seen, dx_});
  }

 private:
  Pointwise<T> product_;
  T const *dy_, *kernel_;
  Sum* dx_;
  std::size_t bytes_;
  std::byte* copy_;
};

}  // namespace

Implementation convolution_input_gradient_kernel() {
  return {"cublas",
          [](Call const& call) {
            return factors_of_one_type(call) &&
                   with_factor_type(call.inputs[0].type, [&](auto zero) {
                     return Pointwise<decltype(zero)>::takes(geometry(call));
                   });
          },
          [](Call const& call) {
            return with_factor_type(call.inputs[0].type, [&](auto zero) -> std::unique_ptr<Kernel> {
              return std::make_unique<InputGradient<decltype(zero)>>(call);
            });
          }};
}

}  // namespace lbann::kernels::cublas
