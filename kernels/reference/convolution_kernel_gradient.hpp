// Reference kernel of convolution_kernel_gradient: a sum over samples and positions for each tap.
#pragma once

#include "kernels/reference/loop.hpp"
#include "kernels/reference/window.hpp"

namespace lbann::kernels::reference {

template <class Number, class T>
class KernelGradient : public Kernel {
 public:
  explicit KernelGradient(Call const& call)
      : op_(operator_of<operators::convolution_kernel_gradient>(call)),
        x_(call.inputs[0]),
        dy_(call.inputs[1]),
        dkernel_(call.outputs[0]),
        table_(x_, dy_, spatial_extents(dkernel_), {op_.stride, op_.padding, op_.dilation}) {}

  void run() override {
    auto const filters = dkernel_.extents[0], depth = dkernel_.extents[1];
    auto const channels = x_.extents[1], filters_of_group = filters / op_.groups;
    for (std::int64_t o = 0; o < filters; ++o)
      for (std::int64_t c = 0; c < depth; ++c)
        for (std::int64_t t = 0; t < table_.taps(); ++t) {
          Number sum = 0;
          for (std::int64_t n = 0; n < x_.extents[0]; ++n) {
            auto const channel = n * channels + o / filters_of_group * depth + c;
            T const* const x = x_.as<T>() + channel * table_.entries();
            T const* const dy = dy_.as<T>() + (n * filters + o) * table_.positions();
            for (std::int64_t p = 0; p < table_.positions(); ++p)
              if (auto const entry = table_.entry(p, t); entry != WindowTable::outside)
                sum += Number(convert<double>(x[entry])) * Number(convert<double>(dy[p]));
          }
          set(dkernel_, (o * depth + c) * table_.taps() + t, sum);
        }
  }

 private:
  operators::convolution_kernel_gradient op_;
  View x_, dy_, dkernel_;
  WindowTable table_;
};

template <class Number>
Implementation convolution_kernel_gradient_kernel() {
  return product_kernel<Number, KernelGradient>();
}

}  // namespace lbann::kernels::reference
