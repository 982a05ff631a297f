#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// The sum of its inputs, a piece of it for each of its children.
struct cross_grid_sum_slice {
  static constexpr std::string_view name = "cross_grid_sum_slice";
  static constexpr std::string_view summary =
      "The sum of its inputs cut along the last axis, a piece for each child.";
  static constexpr std::string_view shapes =
      "x0 [..., n], x1 [..., n], ..., k of them -> y0 [..., n / k], y1 [..., n / k], ...";
  static constexpr std::string_view formula =
      "y_i = entries i n / k to (i + 1) n / k of x0 + x1 + ..., along the last axis\n"
      "in LBANN parents and children lie on different parts of the ranks; here every rank "
      "computes every layer";
  static constexpr LayerExample example{"a=3x4 b=3x4",
                                        "- cross_grid_sum_slice: {name: halves, parents: [a, b]}\n"
                                        "- relu: {parents: halves.0}\n"
                                        "- tanh: {parents: halves.1}"};
  static constexpr Arity parents{1, -1}, children{1, -1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
