// CPU kernel of convolution: samples laid out for the microkernel, or depthwise.
#include "kernels/host/sixteen_bit/convolution.hpp"
#include "kernels/host/convolution/any_correlation.hpp"
#include "kernels/host/sixteen_bit/product_implementation.hpp"
#include "kernels/map/epilogue.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::host {

namespace {

WindowGeometry geometry_of_call(Call const& call) {
  return geometry_of(operator_of<operators::convolution>(call), call.inputs[0], call.outputs[0],
                     call.inputs[1]);
}

template <class T>
class Convolution : public Kernel {
 public:
  explicit Convolution(Call const& call)
      : correlation_(geometry_of_call(call), false),
        x_(call.inputs[0].as<T>()),
        kernel_(call.inputs[1].as<T>()),
        scratch_(reinterpret_cast<T*>(call.scratch.data())) {
    auto const& op = operator_of<operators::convolution>(call);
    auto const type = call.inputs[0].type;
    auto const holder = holder_of_product(call, type);
    result_ = holder ? call.outputs[*holder].as<T>() : nullptr;
    if (!op.epilogue.empty())
      epilogue_ = bind_epilogue<MapEngine>(op.epilogue, call, type, result_);
  }

  void run() override {
    correlation_.run(x_, kernel_, result_, scratch_, epilogue_ ? &*epilogue_ : nullptr);
  }

  static bool fits(Call const& call) {
    auto const& epilogue = operator_of<operators::convolution>(call).epilogue;
    if (!takes_product<MapEngine>(epilogue, call)) return false;
    bool const separate = !holder_of_product(call, call.inputs[0].type);
    auto const needed = AnyCorrelation<T>(geometry_of_call(call), false).scratch_elements(separate);
    return static_cast<std::int64_t>(call.scratch.size()) >=
           needed * static_cast<std::int64_t>(sizeof(T));
  }

 private:
  AnyCorrelation<T> correlation_;
  T const *x_, *kernel_;
  T *scratch_, *result_ = nullptr;
  std::optional<MapEngine> epilogue_;
};

}  // namespace

Implementation convolution_kernel() {
  return ProductImplementation<Convolution, sixteen_bit::takes_convolution,
                               sixteen_bit::make_convolution>::get();
}

}  // namespace lbann::kernels::host
