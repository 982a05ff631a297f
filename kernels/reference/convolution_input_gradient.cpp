// Reference kernel of convolution_input_gradient: each product goes back to where its factor was.
#include <algorithm>

#include "kernels/reference/element.hpp"
#include "kernels/reference/window.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::reference {

namespace {

template <class T>
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
        std::fill(sums_.begin(), sums_.end(), 0.0);
        auto const first = c / depth * filters_of_group;
        for (std::int64_t o = first; o < first + filters_of_group; ++o) {
          T const* const dy = dy_.as<T>() + (n * filters + o) * table_.positions();
          T const* const kernel = kernel_.as<T>() + (o * depth + c % depth) * table_.taps();
          for (std::int64_t p = 0; p < table_.positions(); ++p)
            for (std::int64_t t = 0; t < table_.taps(); ++t)
              if (auto const entry = table_.entry(p, t); entry != WindowTable::outside)
                sums_[static_cast<std::size_t>(entry)] += static_cast<double>(dy[p]) * kernel[t];
        }
        for (std::int64_t i = 0; i < table_.entries(); ++i)
          set(dx_, (n * channels + c) * table_.entries() + i, sums_[static_cast<std::size_t>(i)]);
      }
  }

 private:
  operators::convolution_input_gradient op_;
  View dy_, kernel_, dx_;
  WindowTable table_;
  std::vector<double> sums_;
};

}  // namespace

Implementation convolution_input_gradient_kernel() {
  return {"reference", loadable, [](Call const& call) -> std::unique_ptr<Kernel> {
            if (call.inputs[0].type == DataType::f64)
              return std::make_unique<InputGradient<double>>(call);
            return std::make_unique<InputGradient<float>>(call);
          }};
}

}  // namespace lbann::kernels::reference
