// The layer `unpooling`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Values back at the places that max pooling took them from.
struct unpooling {
  static constexpr std::string_view name = "unpooling";
  static constexpr std::string_view summary =
      "Values put back to where max pooling has found the largest entries.";
  static constexpr std::string_view shapes =
      "v [c, m...], x [c, n...] -> y [c, n...]\n"
      "m = floor((n + 2 pool_pads - pool_dims) / pool_strides) + 1";
  static constexpr std::string_view formula =
      "y[c, i] = sum over p whose window has its largest entry, the first of equals, at x[c, i]: "
      "v[c, p]\n"
      "there is no gradient of x\n"
      "with one parent and a pooling layer for its `hint_layer`, as in LBANN, x and the window are "
      "those of that layer";
  static constexpr LayerExample example{"x=16x8x8",
                                        "- pooling: {name: p, parents: x, pool_dims: 2}\n"
                                        "- unpooling: {parents: p, hint_layer: p}"};
  static constexpr Arity parents{2, 2}, children{1, 1};

  std::int64_t num_dims = 0;
  std::vector<std::int64_t> pool_dims;
  std::vector<std::int64_t> pool_strides;
  std::vector<std::int64_t> pool_pads = {0};

  static constexpr auto fields() {
    return std::tuple{
        field("num_dims", &unpooling::num_dims, "Number of spatial axes; 0: what the input has.",
              Range{.least = 0, .most = 3}),
        field("pool_dims", &unpooling::pool_dims,
              "Extent of the window along each spatial axis; left out: as in the `hint_layer`.",
              at_least_one),
        field("pool_strides", &unpooling::pool_strides,
              "Step of the window along each spatial axis; left out: the window's extent.",
              at_least_one),
        field("pool_pads", &unpooling::pool_pads, "Margin on both sides of each spatial axis.",
              at_least_zero)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
