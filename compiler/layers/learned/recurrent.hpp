// What the recurrent layers share: weights of stacked layers, initial states, input products.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Sizes of a recurrent layer; each entry of a state has `gates` rows of the matrices.
struct Recurrent {
  std::int64_t hidden_size, num_layers, gates;

  /// Whether the first input is a sequence [steps, n], all others are initial states [num_layers,
  /// hidden_size], and tensors of gates are not too large; reports what is wrong.
  bool accepts(LayerContext const& context) const;

  /// For each layer its matrices of inputs and of states and their biases, four in all, drawn
  /// within 1 / sqrt(hidden_size), as PyTorch does.
  std::vector<WeightsRole> weights(LayerContext const& context) const;
  /// Index of a layer's first weights.
  static std::size_t first_weights(std::int64_t layer) {
    return 4 * static_cast<std::size_t>(layer);
  }

  /// Input `index`, the initial states, as [batch, hidden_size] for each layer.
  std::vector<TensorId> initial_states(LoweringContext& lowering, std::size_t index) const;

  /// Products [batch, steps, gates hidden_size] of a layer's sequence with its input matrix, and
  /// the biases added: of the inputs, and if `with_both_biases` those of the states.
  TensorId input_products(LoweringContext& lowering, std::int64_t layer, TensorId sequence,
                          bool with_both_biases) const;
};

}  // namespace lbann::compiler::layers
