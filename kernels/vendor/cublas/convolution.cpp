// convolution by kernels of one tap, by cuBLAS; its epilogue by a launch of its own.
#include "kernels/element_types.hpp"
#include "kernels/kokkos/whole_product.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/vendor/cublas/pointwise.hpp"

namespace lbann::kernels::cublas {

namespace {

WindowGeometry geometry(Call const& call) {
  return geometry_of(operator_of<operators::convolution>(call), call.inputs[0], call.outputs[0],
                     call.inputs[1]);
}

template <class T>
class Convolution : public Kernel {
 public:
  explicit Convolution(Call const& call)
      : product_(geometry(call)),
        whole_(operator_of<operators::convolution>(call).epilogue, call),
        x_(call.inputs[0].as<T>()),
        kernel_(call.inputs[1].as<T>()),
        copy_(device::workspace(product_.template seen_bytes<T>(), "a convolution")) {}

  void run() override {
    product_.output(product_.seen_of(x_, reinterpret_cast<T*>(copy_)), kernel_, whole_.data());
    whole_.finish();
  }

 private:
  Pointwise<T> product_;
  kokkos::WholeProduct<T> whole_;
  T const *x_, *kernel_;
  std::byte* copy_;
};

}  // namespace

Implementation convolution_kernel() {
  return {"cublas",
          [](Call const& call) {
            auto const& epilogue = operator_of<operators::convolution>(call).epilogue;
            return with_factor_type(call.inputs[0].type, [&](auto zero) {
              using T = decltype(zero);
              return Pointwise<T>::takes(geometry(call)) &&
                     kokkos::WholeProduct<T>::fits(epilogue, call);
            });
          },
          [](Call const& call) {
            return with_factor_type(call.inputs[0].type, [&](auto zero) -> std::unique_ptr<Kernel> {
              return std::make_unique<Convolution<decltype(zero)>>(call);
            });
          }};
}

}  // namespace lbann::kernels::cublas
