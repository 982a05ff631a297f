// The layer `cross_grid_sum_slice`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// The sum of its n inputs, cut along the last axis into n equal pieces, one for each child.
struct cross_grid_sum_slice {
  static constexpr std::string_view name = "cross_grid_sum_slice";
  static constexpr std::string_view summary =
      "The sum of its inputs cut along the last axis, a piece for each child.";
  static constexpr Arity parents{1, -1}, children{1, -1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
