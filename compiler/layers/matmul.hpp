// The layer `matmul`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Inputs a [m, k] and b [k, n] (each stored transposed if the field says so), or [d, m, k] and
/// [d, k, n]; output [m, n] or [d, m, n].
struct matmul {
  static constexpr std::string_view name = "matmul";
  static constexpr std::string_view summary =
      "Product of the matrices of two inputs; of inputs with three axes, of each pair along the "
      "first.";
  static constexpr Arity parents{2, 2}, children{1, 1};

  bool transpose_a = false;
  bool transpose_b = false;

  static constexpr auto fields() {
    return std::tuple{
        field("transpose_a", &matmul::transpose_a, "The first input is stored as [k, m]."),
        field("transpose_b", &matmul::transpose_b, "The second input is stored as [n, k].")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
