// The layer `pooling`: one operator.
#include "compiler/layers/pooling.hpp"

#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/operators/operators.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> pooling::output_dims(LayerContext const& context) const {
  auto const axes = spatial_axes(context, num_dims);
  if (!axes) return std::nullopt;
  auto size = for_each_axis(context, "pool_dims", pool_dims, *axes);
  auto stride = for_each_axis(context, "pool_strides",
                              pool_strides.empty() ? pool_dims : pool_strides, *axes);
  auto padding = for_each_axis(context, "pool_pads", pool_pads, *axes);
  if (!size || !stride || !padding) return std::nullopt;
  for (std::size_t i = 0; i < *axes; ++i)
    if ((*padding)[i] >= (*size)[i]) {
      context.complain(
          diagnostics::padding_too_large, "pool_pads",
          {std::to_string((*padding)[i]), std::to_string((*size)[i]), std::string(context.name)});
      return std::nullopt;
    }
  Window const window{*size, *stride, *padding, Dims(*axes, 1), "pool_dims", "pool_pads"};
  auto positions = window.positions(context, context.inputs[0]);
  if (!positions) return std::nullopt;
  positions->insert(positions->begin(), context.inputs[0][0]);
  return std::vector<Dims>{std::move(*positions)};
}

void pooling::lower(Lowering& lowering) const {
  auto const axes = lowering.input_dims(0).size() - 1;
  auto each = [&](Dims const& values) {
    return values.size() == 1 ? Dims(axes, values[0]) : values;
  };
  operators::pooling op;
  using enum LayerPoolMode;
  op.mode = pool_mode == average          ? operators::PoolMode::average
            : pool_mode == average_no_pad ? operators::PoolMode::average_no_pad
                                          : operators::PoolMode::max;
  op.window = each(pool_dims);
  op.stride = each(pool_strides.empty() ? pool_dims : pool_strides);
  op.padding = each(pool_pads);
  lowering.output(0, lowering.emit(std::move(op), {lowering.input(0)})[0]);
}

}  // namespace lbann::compiler::layers
