// The layer `cross_entropy`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// - sum t log y over all entries of a sample, y (first parent) probabilities, t (second) the
/// truth. Entries with t = 0 count nothing, whatever y is. With `use_labels`, y is [c, ...] and t
/// [1, ...] holds at each position the number of the class expected there: - sum log y[t].
struct cross_entropy {
  static constexpr std::string_view name = "cross_entropy";
  static constexpr std::string_view summary =
      "- sum t log y over all entries of a sample: y probabilities, t truth.";
  static constexpr Arity parents{2, 2}, children{1, 1};

  bool use_labels = false;

  static constexpr auto fields() {
    return std::tuple{field("use_labels", &cross_entropy::use_labels,
                            "The truth is the number of a class at each position.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
