// Portable kernel of constant: numbers kept beside the tensors, copied to where the output lies.
#include <vector>

#include "kernels/device/device.hpp"
#include "kernels/element_types.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T>
class ConstantKernel final : public Kernel {
 public:
  ConstantKernel(std::vector<double> const& values, T* output)
      : bytes_(values.size() * sizeof(T)),
        values_(device::allocate(static_cast<std::int64_t>(bytes_))),
        output_(output) {
    if (values_ == nullptr && bytes_ > 0)
      device::fail("the device has no memory left for constants");
    std::vector<T> const rounded(values.begin(), values.end());
    device::copy_to_device(values_.get(), rounded.data(), bytes_);
    device::synchronize();
  }

  void run() override { device::copy_on_device(output_, values_.get(), bytes_); }

 private:
  std::size_t bytes_;
  device::Memory values_;
  T* output_;
};

}  // namespace

Implementation constant_kernel() {
  return {"kokkos",
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

}  // namespace lbann::kernels::kokkos
