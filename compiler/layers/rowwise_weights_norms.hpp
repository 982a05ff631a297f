// The layer `rowwise_weights_norms`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Output [rows]: for each row of the weights that it names the root of the sum of squares, the
/// same for each sample. Rows are those of the matrix that the weights are to the layer that uses
/// them before: name that one as `hint_layer` if nothing else brings it first.
struct rowwise_weights_norms {
  static constexpr std::string_view name = "rowwise_weights_norms";
  static constexpr std::string_view summary = "Length of each row of weights.";
  static constexpr Arity parents{0, 0}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  std::vector<WeightsRole> weights(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
