// The layer `convolution`: kernel and bias, as a convolution and a map.
#include "compiler/layers/convolution.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<Window> convolution::window(LayerContext const& context) const {
  auto const axes = spatial_axes(context, num_dims);
  if (!axes) return std::nullopt;
  auto size = for_each_axis(context, "kernel_size", kernel_size, *axes);
  auto step = for_each_axis(context, "stride", stride, *axes);
  auto zeros = for_each_axis(context, "padding", padding, *axes);
  auto distance = for_each_axis(context, "dilation", dilation, *axes);
  if (!size || !step || !zeros || !distance) return std::nullopt;
  return Window{std::move(*size),     std::move(*step), std::move(*zeros),
                std::move(*distance), "kernel_size",    "padding"};
}

std::optional<std::vector<Dims>> convolution::output_dims(LayerContext const& context) const {
  auto const window = this->window(context);
  if (!window) return std::nullopt;
  auto const& input = context.inputs[0];
  if (input[0] % groups != 0 || out_channels % groups != 0) {
    context.complain(diagnostics::groups_do_not_divide, "groups",
                     {std::to_string(groups), std::to_string(input[0]),
                      std::to_string(out_channels), std::string(context.name)});
    return std::nullopt;
  }
  auto positions = window->positions(context, input);
  if (!positions) return std::nullopt;
  positions->insert(positions->begin(), out_channels);
  return std::vector<Dims>{std::move(*positions)};
}

std::vector<WeightsRole> convolution::weights(LayerContext const& context) const {
  auto const window = this->window(context);
  if (!window) return {};
  auto const in = context.inputs[0][0] / groups;
  WeightsRole kernel{"_kernel", {out_channels, in}, "he_normal_initializer"};
  kernel.dims.insert(kernel.dims.end(), window->size.begin(), window->size.end());
  double taps = 1;
  for (auto const size : window->size) taps *= static_cast<double>(size);
  kernel.fan_in = static_cast<double>(in) * taps;
  kernel.fan_out = static_cast<double>(out_channels / groups) * taps;
  std::vector<WeightsRole> roles = {std::move(kernel)};
  if (has_bias) roles.push_back({"_bias", {out_channels}, "constant_initializer"});
  return roles;
}

void convolution::lower(Lowering& lowering) const {
  auto const axes = lowering.input_dims(0).size() - 1;
  auto each = [&](Dims const& values) {
    return values.size() == 1 ? Dims(axes, values[0]) : values;
  };
  operators::convolution op;
  op.stride = each(stride);
  op.padding = each(padding);
  op.dilation = each(dilation);
  op.groups = groups;
  auto y = lowering.emit(std::move(op), {lowering.input(0), lowering.weights(0)})[0];
  if (has_bias) {
    Dims channels(axes + 1, 1);
    channels[0] = out_channels;
    auto const bias = lowering.reshape(lowering.weights(1), Shape(channels));
    y = lowering.map(sum_of_two(), {y, bias});
  }
  lowering.output(0, y);
}

}  // namespace lbann::compiler::layers
