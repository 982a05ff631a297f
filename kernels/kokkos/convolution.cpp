// Portable kernel of convolution: samples laid out for register tiles on a CPU, an element for each
// thread of a device.
#include "kernels/kokkos/host_correlation.hpp"
#include "kernels/kokkos/launch.hpp"
#include "kernels/kokkos/product_epilogue.hpp"
#include "kernels/kokkos/window_elements.hpp"
#include "kernels/kokkos/workers.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

WindowGeometry geometry_of(Call const& call) {
  auto const& op = operator_of<operators::convolution>(call);
  return window_geometry(call.inputs[0], call.outputs[0], taps_of(call.inputs[1]), op.stride,
                         op.padding, op.dilation, op.groups);
}

template <class T>
class Convolution : public Kernel {
 public:
  explicit Convolution(Call const& call)
      : geometry_(geometry_of(call)),
        correlation_(geometry_, false),
        x_(call.inputs[0].as<T>()),
        kernel_(call.inputs[1].as<T>()),
        scratch_(reinterpret_cast<T*>(call.scratch.data())) {
    auto const& op = operator_of<operators::convolution>(call);
    auto const type = call.inputs[0].type;
    auto const holder = holder_of_product(call, type);
    result_ = holder ? call.outputs[*holder].as<T>() : on_host ? nullptr : scratch_;
    if (!op.epilogue.empty()) epilogue_ = bind_epilogue(op.epilogue, call, type, result_);
  }

  void run() override {
    if constexpr (on_host) {
      correlation_.run(x_, kernel_, result_, scratch_, epilogue_ ? &*epilogue_ : nullptr);
    } else {
      for_each_element("convolution", geometry_.samples * geometry_.filters * geometry_.positions(),
                       ConvolutionElements<T>{geometry_, x_, kernel_, result_});
      if (epilogue_) epilogue_->run_parallel();
    }
  }

  static bool fits(Call const& call) {
    bool const separate = !holder_of_product(call, call.inputs[0].type);
    auto const g = geometry_of(call);
    auto const needed = on_host    ? HostCorrelation<T>(g, false).scratch_elements(separate)
                        : separate ? g.samples * g.filters * g.positions()
                                   : 0;
    return static_cast<std::int64_t>(call.scratch.size()) >=
           needed * static_cast<std::int64_t>(sizeof(T));
  }

 private:
  WindowGeometry geometry_;
  HostCorrelation<T> correlation_;
  T const *x_, *kernel_;
  T *scratch_, *result_ = nullptr;
  std::optional<MapEngine> epilogue_;
};

bool accepts(Call const& call) {
  auto const& op = operator_of<operators::convolution>(call);
  auto const type = call.inputs[0].type;
  if (type != DataType::f32 && type != DataType::f64) return false;
  if (op.epilogue.empty() ? call.outputs[0].type != type
                          : !bind_epilogue(op.epilogue, call, type, nullptr))
    return false;
  return type == DataType::f64 ? Convolution<double>::fits(call) : Convolution<float>::fits(call);
}

}  // namespace

Implementation convolution_kernel() {
  return {"kokkos", accepts, [](Call const& call) -> std::unique_ptr<Kernel> {
            if (call.inputs[0].type == DataType::f64)
              return std::make_unique<Convolution<double>>(call);
            return std::make_unique<Convolution<float>>(call);
          }};
}

}  // namespace lbann::kernels::kokkos
