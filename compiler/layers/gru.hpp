// The layer `gru`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Inputs: a sequence [steps, inputs] and the first states [num_layers, hidden_size]; output the
/// states of the last layer [steps, hidden_size]. Weights, for each layer n and of three gates
/// (reset, update, new) one after the other: `<layer>_ih_matrix_l<n>` [3 hidden_size, inputs],
/// `<layer>_hh_matrix_l<n>` [3 hidden_size, hidden_size], `<layer>_ih_bias_l<n>` and
/// `<layer>_hh_bias_l<n>` [3 hidden_size], uniform in +-1 / sqrt(hidden_size).
struct gru {
  static constexpr std::string_view name = "gru";
  static constexpr std::string_view summary =
      "Gated recurrent units over a sequence, stacked in layers.";
  static constexpr Arity parents{2, 2}, children{1, 1};

  std::int64_t hidden_size = 0;
  std::int64_t num_layers = 1;

  static constexpr auto fields() {
    return std::tuple{field("hidden_size", &gru::hidden_size, "Entries of the state.",
                            Presence::required, {}, at_least_one),
                      field("num_layers", &gru::num_layers,
                            "Layers, each of which reads the states of the one before it.",
                            Range{.least = 1, .most = 1024})};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  std::vector<WeightsRole> weights(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
