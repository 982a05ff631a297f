// convolution_kernel_gradient by kernels of one tap, by cuBLAS: the gradients of all samples, then
// their sum in order.
#include "kernels/element_types.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/vendor/cublas/pointwise.hpp"

namespace lbann::kernels::cublas {

namespace {

/// Where the gradients of samples take more memory than the factors, cuDNN moves less.
constexpr std::int64_t most_bytes = std::int64_t{128} << 20;

WindowGeometry geometry(Call const& call) {
  auto const& op = operator_of<operators::convolution_kernel_gradient>(call);
  return geometry_of(op, call.inputs[0], call.inputs[1], call.outputs[0]);
}

template <class T>
struct SumParts {
  T const* parts;
  T* sum;
  std::int64_t count, elements;
  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    double total = 0;
    for (std::int64_t i = 0; i < count; ++i)
      total += static_cast<double>(parts[i * elements + index]);
    sum[index] = static_cast<T>(total);
  }
};

template <class T>
std::int64_t bytes_of_parts(WindowGeometry const& g) {
  return g.samples * g.filters * g.channels * static_cast<std::int64_t>(sizeof(ComputeType<T>));
}

template <class T>
class KernelGradient : public Kernel {
 public:
  using Sum = ComputeType<T>;

  explicit KernelGradient(Call const& call)
      : product_(geometry(call)),
        x_(call.inputs[0].as<T>()),
        dy_(call.inputs[1].as<T>()),
        sum_{nullptr, call.outputs[0].as<Sum>(), product_.geometry().samples,
             call.outputs[0].elements()} {
    auto const parts = static_cast<std::size_t>(bytes_of_parts<T>(product_.geometry()));
    auto* const memory =
        device::workspace(parts + product_.template seen_bytes<T>(), "a convolution");
    parts_ = reinterpret_cast<Sum*>(memory);
    copy_ = reinterpret_cast<T*>(memory + parts);
    sum_.parts = parts_;
  }

  void run() override {
    product_.kernel_gradients(product_.seen_of(x_, copy_), dy_, parts_);
    kokkos::launch(sum_.elements, 1, sum_);
  }

 private:
  Pointwise<T> product_;
  T const *x_, *dy_;
  Sum* parts_;
  T* copy_;
  SumParts<Sum> sum_;
};

}  // namespace

Implementation convolution_kernel_gradient_kernel() {
  return {"cublas",
          [](Call const& call) {
            return factors_of_one_type(call) &&
                   with_factor_type(call.inputs[0].type, [&](auto zero) {
                     using T = decltype(zero);
                     auto const g = geometry(call);
                     return Pointwise<T>::takes(g) && bytes_of_parts<T>(g) <= most_bytes;
                   });
          },
          [](Call const& call) {
            return with_factor_type(call.inputs[0].type, [&](auto zero) -> std::unique_ptr<Kernel> {
              return std::make_unique<KernelGradient<decltype(zero)>>(call);
            });
          }};
}

}  // namespace lbann::kernels::cublas
