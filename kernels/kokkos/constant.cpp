// Portable kernel of constant: numbers kept on the host, copied to where the output lies.
#include <Kokkos_Core.hpp>

#include <vector>

#include "kernels/element_types.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T>
class ConstantKernel final : public Kernel {
 public:
  ConstantKernel(std::vector<double> const& values, T* output)
      : values_(values.begin(), values.end()), output_(output) {}

  void run() override {
    if (values_.empty()) return;
    using Kept = Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
    using Written =
        Kokkos::View<T*, Kokkos::DefaultExecutionSpace::memory_space, Kokkos::MemoryUnmanaged>;
    Kokkos::deep_copy(Written(output_, values_.size()), Kept(values_.data(), values_.size()));
  }

 private:
  std::vector<T> values_;
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
