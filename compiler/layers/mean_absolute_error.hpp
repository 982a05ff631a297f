// The layer `mean_absolute_error`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Mean of |x - y| over the entries of a sample; its gradient where x = y is 0.
struct mean_absolute_error {
  static constexpr std::string_view name = "mean_absolute_error";
  static constexpr std::string_view summary = "Mean of |x - y| over the entries of a sample.";
  static constexpr Arity parents{2, 2}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
