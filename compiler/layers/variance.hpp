// The layer `variance`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Output [1]: sum (x - mean x)^2 over the n entries of a sample, divided by n - 1 or, if
/// `biased`, by n.
struct variance {
  static constexpr std::string_view name = "variance";
  static constexpr std::string_view summary = "Variance of the entries of a sample.";
  static constexpr Arity parents{1, 1}, children{1, 1};

  bool biased = false;

  static constexpr auto fields() {
    return std::tuple{field("biased", &variance::biased,
                            "Divide by the number of entries instead of that less 1.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
