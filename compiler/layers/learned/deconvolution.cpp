// The layer `deconvolution`: the gradient of a convolution with respect to its input, run forward.
#include "compiler/layers/learned/deconvolution.hpp"

#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> deconvolution::output_dims(LayerContext const& context) const {
  auto const window = this->window(context);
  if (!window) return std::nullopt;
  auto const& input = context.inputs[0];
  auto const extra = for_each_axis(context, "output_padding", output_padding, window->size.size());
  if (!extra) return std::nullopt;
  Dims output = {out_channels};
  for (std::size_t i = 0; i < window->size.size(); ++i) {
    constexpr auto limit = operators::rules::max_step;
    auto const size = window->size[i], step = window->stride[i], zeros = window->padding[i];
    auto const distance = window->dilation[i];
    std::int64_t steps = 0;
    if (size > limit || step > limit || zeros > limit || distance > limit ||
        __builtin_mul_overflow(input[i + 1] - 1, step, &steps) ||
        steps > operators::rules::max_extent) {
      context.report(diagnostics::number_too_large, "kernel_size", {std::string(context.name)});
      return std::nullopt;
    }
    if ((*extra)[i] >= step) {
      context.report(
          diagnostics::output_padding_too_large, "output_padding",
          {std::to_string((*extra)[i]), std::to_string(step), std::string(context.name)});
      return std::nullopt;
    }
    auto const extent = steps + distance * (size - 1) + 1 - 2 * zeros + (*extra)[i];
    if (extent < 1) {
      context.report(diagnostics::nothing_left, "padding",
                     {std::to_string(zeros), std::string(context.name), to_text(input)});
      return std::nullopt;
    }
    output.push_back(extent);
  }
  return std::vector<Dims>{std::move(output)};
}

std::vector<WeightsRole> deconvolution::weights(LayerContext const& context) const {
  return roles(context, context.inputs[0][0], out_channels);
}

void deconvolution::lower(LoweringContext& lowering) const {
  auto const& output = lowering.output_dims(0);
  operators::convolution_input_gradient op{steps(output.size() - 1),
                                           {output.begin() + 1, output.end()}};
  finish(lowering, lowering.emit(std::move(op), {lowering.input(0), lowering.weights(0)})[0]);
}

}  // namespace lbann::compiler::layers
