#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// The sum of its inputs for each of its children.
struct cross_grid_sum {
  static constexpr std::string_view name = "cross_grid_sum";
  static constexpr std::string_view summary =
      "The sum of its inputs, entry by entry, for each of its children.";
  static constexpr std::string_view shapes =
      "x0 [n...], x1 [n...], ... -> y0 [n...], y1 [n...], ..., one for each child";
  static constexpr std::string_view formula =
      "y_i = x0 + x1 + ...\n"
      "in LBANN parents and children lie on different parts of the ranks; here every rank "
      "computes every layer";
  static constexpr LayerExample example{"a=3x4 b=3x4", "- cross_grid_sum: {parents: [a, b]}"};
  static constexpr Arity parents{1, -1}, children{1, -1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
