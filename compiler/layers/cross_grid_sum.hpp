// The layer `cross_grid_sum`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// The sum of its inputs, entry by entry, for each of its children. (In LBANN inputs and children
/// lie on different parts of the ranks; here every rank computes every layer.)
struct cross_grid_sum {
  static constexpr std::string_view name = "cross_grid_sum";
  static constexpr std::string_view summary =
      "The sum of its inputs, entry by entry, for each of its children.";
  static constexpr Arity parents{1, -1}, children{1, -1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
