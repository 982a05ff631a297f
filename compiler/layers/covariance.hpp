// The layer `covariance`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Output [1]: sum (x - mean x) (y - mean y) over the n entries of a sample, divided by n - 1 or, if
/// `biased`, by n.
struct covariance {
  static constexpr std::string_view name = "covariance";
  static constexpr std::string_view summary = "Covariance of the entries of two samples.";
  static constexpr Arity parents{2, 2}, children{1, 1};

  bool biased = false;

  static constexpr auto fields() {
    return std::tuple{field("biased", &covariance::biased,
                            "Divide by the number of entries instead of that less 1.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
