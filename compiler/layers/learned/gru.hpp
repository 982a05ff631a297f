#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Cho et al., "Learning phrase representations", 2014, with the reset after the product as
/// cuDNN has it.
struct gru {
  static constexpr std::string_view name = "gru";
  static constexpr std::string_view summary =
      "Gated recurrent units over a sequence, stacked in layers.";
  static constexpr std::string_view shapes =
      "x [steps, n], h0 [num_layers, hidden_size] -> y [steps, hidden_size]";
  static constexpr std::string_view formula =
      "for each step t, with h the state of the step before it (h0 at first):\n"
      "  r = sigmoid(W_r x[t] + b_r + R_r h + c_r)\n"
      "  z = sigmoid(W_z x[t] + b_z + R_z h + c_z)\n"
      "  n = tanh(W_n x[t] + b_n + r * (R_n h + c_n))\n"
      "  y[t] = (1 - z) * n + z * h\n"
      "layer l > 0 reads the y of layer l - 1 as its x; the y of the last one is the output\n"
      "W = <layer>_ih_matrix_l<l>, R = <layer>_hh_matrix_l<l>, b = <layer>_ih_bias_l<l>, c = "
      "<layer>_hh_bias_l<l>,\n"
      "each with the rows of r, z and n one after the other";
  static constexpr LayerExample example{
      "sequence=20x8 first=1x32",
      "- gru: {name: states, parents: [sequence, first], hidden_size: 32}"};
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
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
