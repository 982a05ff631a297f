#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// The product of two matrices, or of each pair along a first axis.
struct matmul {
  static constexpr std::string_view name = "matmul";
  static constexpr std::string_view summary =
      "Product of the matrices of two inputs; of inputs with three axes, of each pair along the "
      "first.";
  static constexpr std::string_view shapes =
      "a [m, k], b [k, n] -> y [m, n]; or a [d, m, k], b [d, k, n] -> y [d, m, n]";
  static constexpr std::string_view formula =
      "y[i, j] = sum over l: a[i, l] b[l, j], for each d\n"
      "with `transpose_a` a [k, m]: a[l, i]; with `transpose_b` b [n, k]: b[j, l]";
  static constexpr LayerExample example{"a=4x8 b=8x5", "- matmul: {parents: [a, b]}"};
  static constexpr auto in_mixed_precision = InMixedPrecision::narrow;
  static constexpr Arity parents{2, 2}, children{1, 1};

  bool transpose_a = false;
  bool transpose_b = false;

  static constexpr auto fields() {
    return std::tuple{
        field("transpose_a", &matmul::transpose_a, "The first input is stored as [k, m]."),
        field("transpose_b", &matmul::transpose_b, "The second input is stored as [n, k].")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
