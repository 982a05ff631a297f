// The window of `pooling` and `unpooling`.
#include "compiler/layers/shapes/pooling_window.hpp"

#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

Window PoolingWindow::window(std::size_t axes) const {
  auto const each = [&](Dims const& values) {
    return values.size() == 1 ? Dims(axes, values[0]) : values;
  };
  return {each(pool_dims), each(strides()), each(pool_pads),
          Dims(axes, 1),   "pool_dims",     "pool_pads"};
}

std::optional<Dims> PoolingWindow::pooled(LayerContext const& context, Dims const& images) const {
  auto const axes = spatial_axes(context, num_dims);
  if (!axes || !for_each_axis(context, "pool_dims", pool_dims, *axes) ||
      !for_each_axis(context, "pool_strides", strides(), *axes) ||
      !for_each_axis(context, "pool_pads", pool_pads, *axes))
    return std::nullopt;
  auto const window = this->window(*axes);
  for (std::size_t i = 0; i < *axes; ++i)
    if (window.padding[i] >= window.size[i]) {
      context.report(diagnostics::padding_too_large, "pool_pads",
                     {std::to_string(window.padding[i]), std::to_string(window.size[i]),
                      std::string(context.name)});
      return std::nullopt;
    }
  auto dims = window.positions(context, images);
  if (dims) dims->insert(dims->begin(), images[0]);
  return dims;
}

}  // namespace lbann::compiler::layers
