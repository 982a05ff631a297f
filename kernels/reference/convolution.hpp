// Reference kernel of convolution: a sum over channels and taps for each output, in double.
#pragma once

#include "kernels/reference/epilogue.hpp"
#include "kernels/reference/loop.hpp"
#include "kernels/reference/window.hpp"

namespace lbann::kernels::reference {

template <class Number, class T>
class Convolution : public Kernel {
 public:
  explicit Convolution(Call const& call)
      : op_(operator_of<operators::convolution>(call)),
        x_(call.inputs[0]),
        kernel_(call.inputs[1]),
        table_(x_, call.outputs[0], spatial_extents(kernel_),
               {op_.stride, op_.padding, op_.dilation}),
        epilogue_(op_.epilogue, call, 2) {}

  void run() override {
    auto const filters = kernel_.extents[0], depth = kernel_.extents[1], channels = x_.extents[1];
    auto const filters_of_group = filters / op_.groups;
    std::int64_t index = 0;
    for (std::int64_t n = 0; n < x_.extents[0]; ++n)
      for (std::int64_t o = 0; o < filters; ++o)
        for (std::int64_t p = 0; p < table_.positions(); ++p) {
          Number sum = 0;
          for (std::int64_t c = 0; c < depth; ++c) {
            auto const channel = n * channels + o / filters_of_group * depth + c;
            T const* const x = x_.as<T>() + channel * table_.entries();
            T const* const kernel = kernel_.as<T>() + (o * depth + c) * table_.taps();
            for (std::int64_t t = 0; t < table_.taps(); ++t)
              if (auto const entry = table_.entry(p, t); entry != WindowTable::outside)
                sum += Number(convert<double>(x[entry])) * Number(convert<double>(kernel[t]));
          }
          epilogue_.finish(index++, sum);
        }
  }

 private:
  operators::convolution op_;
  View x_, kernel_;
  WindowTable table_;
  Epilogue<Number> epilogue_;
};

template <class Number>
Implementation convolution_kernel() {
  return product_kernel<Number, Convolution>();
}

}  // namespace lbann::kernels::reference
