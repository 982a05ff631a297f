// CPU kernel of convolution: samples laid out for the microkernel, or depthwise.
#include "kernels/host/sixteen_bit/convolution.hpp"
#include "kernels/host/convolution/any_correlation.hpp"
#include "kernels/host/sixteen_bit/widened.hpp"
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

bool accepts(Call const& call);
std::unique_ptr<Kernel> bind_call(Call const& call);

constexpr sixteen_bit::Ways of_sixteen_bits{sixteen_bit::takes_convolution,
                                            sixteen_bit::make_convolution, accepts, bind_call};

bool accepts(Call const& call) {
  auto const& op = operator_of<operators::convolution>(call);
  auto const type = call.inputs[0].type;
  if (is_sixteen_bit(type)) return of_sixteen_bits.accept(call);
  if (!takes_product<MapEngine>(op.epilogue, call)) return false;
  return type == DataType::f64 ? Convolution<double>::fits(call) : Convolution<float>::fits(call);
}

std::unique_ptr<Kernel> bind_call(Call const& call) {
  if (is_sixteen_bit(call.inputs[0].type)) return of_sixteen_bits.bind(call);
  if (call.inputs[0].type == DataType::f64) return std::make_unique<Convolution<double>>(call);
  return std::make_unique<Convolution<float>>(call);
}

}  // namespace

Implementation convolution_kernel() { return {"host", accepts, bind_call}; }

}  // namespace lbann::kernels::host
