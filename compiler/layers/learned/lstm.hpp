#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Hochreiter and Schmidhuber, "Long short-term memory", 1997, with the forget gate of Gers et al.,
/// 2000, and without peepholes, as cuDNN and PyTorch have it.
struct lstm {
  static constexpr std::string_view name = "lstm";
  static constexpr std::string_view summary =
      "Long short-term memory over a sequence, stacked in layers.";
  static constexpr std::string_view shapes =
      "x [steps, n] -> y [steps, hidden_size]\n"
      "x [steps, n], h0 [num_layers, hidden_size], c0 [num_layers, hidden_size] -> the same\n"
      "with output_cells: y and cells beside one another, [steps, 2 hidden_size]";
  static constexpr std::string_view formula =
      "for each step t, with h and c the state and the cell of the step before it (h0 and c0 at "
      "first, or 0):\n"
      "  i = sigmoid(W_i x[t] + b_i + R_i h + d_i)\n"
      "  f = sigmoid(W_f x[t] + b_f + R_f h + d_f)\n"
      "  g = tanh(W_g x[t] + b_g + R_g h + d_g)\n"
      "  o = sigmoid(W_o x[t] + b_o + R_o h + d_o)\n"
      "  cells[t] = f * c + i * g\n"
      "  y[t] = o * tanh(cells[t])\n"
      "layer l > 0 reads the y of layer l - 1 as its x; y of the last one is the output\n"
      "W = <layer>_ih_matrix_l<l>, R = <layer>_hh_matrix_l<l>, b = <layer>_ih_bias_l<l>, d = "
      "<layer>_hh_bias_l<l>,\n"
      "each with the rows of i, f, g and o one after the other";
  static constexpr LayerExample example{
      "sequence=20x8", "- lstm: {name: states, parents: sequence, hidden_size: 32}"};
  static constexpr Arity parents{1, 3}, children{1, 1};

  std::int64_t hidden_size = 0;
  std::int64_t num_layers = 1;
  bool output_cells = false;

  static constexpr auto fields() {
    return std::tuple{field("hidden_size", &lstm::hidden_size, "Entries of the state.",
                            Presence::required, {}, at_least_one),
                      field("num_layers", &lstm::num_layers,
                            "Layers, each of which reads the states of the one before it.",
                            Range{.least = 1, .most = 1024}),
                      field("output_cells", &lstm::output_cells,
                            "Put the cells of the last layer behind its y, for a layer that goes "
                            "on from both.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  std::vector<WeightsRole> weights(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
