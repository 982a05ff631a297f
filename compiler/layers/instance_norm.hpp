// The layer `instance_norm`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// y = (x - mean) / sqrt(variance + epsilon) over each channel of a sample [c, ...], with the
/// biased variance.
struct instance_norm {
  static constexpr std::string_view name = "instance_norm";
  static constexpr std::string_view summary =
      "Each channel of a sample brought to mean 0 and variance 1.";
  static constexpr Arity parents{1, 1}, children{1, 1};

  double epsilon = 1e-5;

  static constexpr auto fields() {
    return std::tuple{
        field("epsilon", &instance_norm::epsilon, "Added to the variance.", at_least_zero)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
