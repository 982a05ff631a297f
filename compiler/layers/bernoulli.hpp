// The layer `bernoulli`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Output [neuron_dims]: in training 1 with probability `prob`, else 0, drawn anew for each sample
/// and step; 0 outside of training.
struct bernoulli {
  static constexpr std::string_view name = "bernoulli";
  static constexpr std::string_view summary = "Random ones among zeros.";
  static constexpr Arity parents{0, 0}, children{1, 1};

  double prob = 0.5;
  std::vector<std::int64_t> neuron_dims;

  static constexpr auto fields() {
    return std::tuple{
        field("prob", &bernoulli::prob, "Probability of a 1.", zero_to_one),
        field("neuron_dims", &bernoulli::neuron_dims,
              "Dims of the output; left out: those of the `hint_layer`.", at_least_one)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
