// CPU kernel of constant: numbers converted when the kernel is bound, copied when it runs.
#include <vector>

#include "kernels/element_types.hpp"
#include "kernels/host/movement/copies.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::host {

namespace {

template <class T>
class ConstantKernel final : public Kernel {
 public:
  ConstantKernel(std::vector<double> const& values, T* output)
      : values_(values.begin(), values.end()),
        copy_(copies_kernel({{reinterpret_cast<std::byte const*>(values_.data()),
                              reinterpret_cast<std::byte*>(output), 1,
                              static_cast<std::int64_t>(values_.size() * sizeof(T)), 0, 0}},
                            sizeof(T))) {}

  void run() override { copy_->run(); }

 private:
  std::vector<T> values_;
  std::unique_ptr<Kernel> copy_;
};

}  // namespace

Implementation constant_kernel() {
  return {"host",
          [](Call const& call) {
            return call.outputs[0].type == DataType::f32 || call.outputs[0].type == DataType::f64;
          },
          [](Call const& call) {
            auto const& values = operator_of<operators::constant>(call).values;
            return with_floating(call.outputs[0].type, [&](auto zero) -> std::unique_ptr<Kernel> {
              using T = decltype(zero);
              return std::make_unique<ConstantKernel<T>>(values, call.outputs[0].as<T>());
            });
          }};
}

}  // namespace lbann::kernels::host
