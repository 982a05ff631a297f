// The layer `cross_entropy`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// - sum t log y over all entries of a sample, y (first parent) probabilities, t (second) the
/// truth. Entries with t = 0 count nothing, whatever y is.
struct cross_entropy {
  static constexpr std::string_view name = "cross_entropy";
  static constexpr std::string_view summary =
      "- sum t log y over all entries of a sample: y probabilities, t truth.";
  static constexpr Arity parents{2, 2}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
