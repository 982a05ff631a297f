#pragma once

#include "compiler/layers/shapes/pooling_window.hpp"

namespace lbann::compiler::layers {

/// Values back at the places that max pooling took them from.
struct unpooling : PoolingWindow {
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
      "with a pooling layer for its `hint_layer`, as in LBANN, what is left out of x and the "
      "window "
      "is that of the layer";
  static constexpr LayerExample example{"x=16x8x8",
                                        "- pooling: {name: p, parents: x, pool_dims: 2}\n"
                                        "- unpooling: {parents: p, hint_layer: p}"};
  static constexpr Arity parents{2, 2}, children{1, 1};
  static constexpr bool has_dims_of_hint = false;

  static constexpr auto fields() { return window_fields(true); }

  /// With the window of the pooling layer `hint` where `own` gives none; nothing for other layers.
  std::optional<unpooling> completed_by(Declaration const& own, Declaration const& hint) const;
  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
