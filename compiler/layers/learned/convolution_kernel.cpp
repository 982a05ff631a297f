// Windows, weights and bias of convolution and deconvolution.
#include "compiler/layers/learned/convolution_kernel.hpp"

#include "compiler/initializers/constant_initializer.hpp"
#include "compiler/initializers/he_normal_initializer.hpp"
#include "compiler/layers/expressions.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<Window> ConvolutionKernel::window(LayerContext const& context) const {
  auto const axes = spatial_axes(context, num_dims);
  if (!axes) return std::nullopt;
  auto size = for_each_axis(context, "kernel_size", kernel_size, *axes);
  auto step = for_each_axis(context, "stride", stride, *axes);
  auto zeros = for_each_axis(context, "padding", padding, *axes);
  auto distance = for_each_axis(context, "dilation", dilation, *axes);
  if (!size || !step || !zeros || !distance) return std::nullopt;
  auto const channels = context.inputs[0][0];
  if (channels % groups != 0 || out_channels % groups != 0) {
    context.report(diagnostics::groups_do_not_divide, "groups",
                   {std::to_string(groups), std::to_string(channels), std::to_string(out_channels),
                    std::string(context.name)});
    return std::nullopt;
  }
  return Window{std::move(*size),     std::move(*step), std::move(*zeros),
                std::move(*distance), "kernel_size",    "padding"};
}

operators::KernelSteps ConvolutionKernel::steps(std::size_t axes) const {
  auto const each = [&](Dims const& values) {
    return values.size() == 1 ? Dims(axes, values[0]) : values;
  };
  return {each(stride), each(padding), each(dilation), groups};
}

std::vector<WeightsRole> ConvolutionKernel::roles(LayerContext const& context, std::int64_t first,
                                                  std::int64_t second) const {
  auto const window = this->window(context);
  if (!window) return {};
  WeightsRole kernel{
      "_kernel", {first, second / groups}, preset<initializers::he_normal_initializer>()};
  kernel.dims.insert(kernel.dims.end(), window->size.begin(), window->size.end());
  double taps = 1;
  for (auto const size : window->size) taps *= static_cast<double>(size);
  kernel.fan_in = static_cast<double>(context.inputs[0][0] / groups) * taps;
  kernel.fan_out = static_cast<double>(out_channels / groups) * taps;
  std::vector<WeightsRole> roles = {std::move(kernel)};
  if (has_bias)
    roles.push_back({"_bias", {out_channels}, preset<initializers::constant_initializer>()});
  return roles;
}

void ConvolutionKernel::finish(LoweringContext& lowering, TensorId y) const {
  if (has_bias) {
    Dims channels(lowering.input_dims(0).size(), 1);
    channels[0] = out_channels;
    auto const bias = lowering.reshape(lowering.weights(1), Shape(channels));
    y = lowering.map(sum_of_two(), {y, bias});
  }
  lowering.output(0, y);
}

}  // namespace lbann::compiler::layers
