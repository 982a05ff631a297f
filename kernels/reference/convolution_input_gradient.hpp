// Reference kernel of convolution_input_gradient: each product goes back to where its factor was.
#pragma once

#include <algorithm>

#include "kernels/reference/loop.hpp"
#include "kernels/reference/window.hpp"

namespace lbann::kernels::reference {

template <class Number, class T>
class InputGradient : public Kernel {
 public:
  explicit InputGradient(Call const& call)
      : op_(operator_of<operators::convolution_input_gradient>(call)),
        dy_(call.inputs[0]),
        kernel_(call.inputs[1]),
        dx_(call.outputs[0]),
        table_(dx_, dy_, spatial_extents(kernel_), {op_.stride, op_.padding, op_.dilation}),
        sums_(static_cast<std::size_t>(table_.entries())) {}

  void run() override {
    auto const filters = kernel_.extents[0], depth = kernel_.extents[1], channels = dx_.extents[1];
    auto const filters_of_group = filters / op_.groups;
    for (std::int64_t n = 0; n < dx_.extents[0]; ++n)
      for (std::int64_t c = 0; c < channels; ++c) {
        std::fill(sums_.begin(), sums_.end(), Number(0));
        auto const first = c / depth * filters_of_group;
        for (std::int64_t o = first; o < first + filters_of_group; ++o) {
          T const* const dy = dy_.as<T>() + (n * filters + o) * table_.positions();
          T const* const kernel = kernel_.as<T>() + (o * depth + c % depth) * table_.taps();
          for (std::int64_t p = 0; p < table_.positions(); ++p)
            for (std::int64_t t = 0; t < table_.taps(); ++t)
              if (auto const entry = table_.entry(p, t); entry != WindowTable::outside)
                sums_[static_cast<std::size_t>(entry)] +=
                    Number(convert<double>(dy[p])) * Number(convert<double>(kernel[t]));
        }
        for (std::int64_t i = 0; i < table_.entries(); ++i)
          set(dx_, (n * channels + c) * table_.entries() + i, sums_[static_cast<std::size_t>(i)]);
      }
  }

 private:
  operators::convolution_input_gradient op_;
  View dy_, kernel_, dx_;
  WindowTable table_;
  std::vector<Number> sums_;
};

template <class Number>
Implementation convolution_input_gradient_kernel() {
  return product_kernel<Number, InputGradient>();
}

}  // namespace lbann::kernels::reference
