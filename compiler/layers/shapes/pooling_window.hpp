// What the layers `pooling` and `unpooling` have alike: the fields of their window, and its
// reading.
#pragma once

#include "compiler/layers/layer.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

/// Base of both layers.
struct PoolingWindow {
  std::int64_t num_dims = 0;
  std::vector<std::int64_t> pool_dims;
  std::vector<std::int64_t> pool_strides;
  std::vector<std::int64_t> pool_pads = {0};

  /// `hinted`: what is left out may come from the `hint_layer`.
  static constexpr auto window_fields(bool hinted) {
    using W = PoolingWindow;
    return std::tuple{
        field("num_dims", &W::num_dims, "Number of spatial axes; 0: what the input has.",
              Range{.least = 0, .most = 3}),
        field("pool_dims", &W::pool_dims,
              hinted
                  ? "Extent of the window along each spatial axis; one number holds for all; left "
                    "out: as in the `hint_layer`."
                  : "Extent of the window along each spatial axis; one number holds for all.",
              at_least_one, hinted ? Presence::optional : Presence::required),
        field("pool_strides", &W::pool_strides,
              hinted ? "Step of the window along each spatial axis; one number holds for all; left "
                       "out: as in the `hint_layer`, else the window's extent."
                     : "Step of the window along each spatial axis; one number holds for all; left "
                       "out: the window's extent.",
              at_least_one),
        field("pool_pads", &W::pool_pads,
              hinted ? "Margin on both sides of each spatial axis; one number holds for all; left "
                       "out: as in the `hint_layer`, else 0."
                     : "Margin on both sides of each spatial axis; one number holds for all.",
              at_least_zero)};
  }

  /// The steps as they hold: the window's extent where none are given.
  Dims const& strides() const { return pool_strides.empty() ? pool_dims : pool_strides; }
  /// The window for so many spatial axes, one number for each.
  Window window(std::size_t axes) const;
  /// Dims of what the windows over `images` give. Reports an input without spatial axes,
  /// numbers of values that do not fit, and windows that do not, or that lie in the margin alone.
  std::optional<Dims> pooled(LayerContext const& context, Dims const& images) const;
};

}  // namespace lbann::compiler::layers
