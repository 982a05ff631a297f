#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Random ones among zeros, in training alone.
struct bernoulli {
  static constexpr std::string_view name = "bernoulli";
  static constexpr std::string_view summary = "Random ones among zeros.";
  static constexpr std::string_view shapes = "-> y [neuron_dims]";
  static constexpr std::string_view formula =
      "in training: y = 1 with probability prob, else 0, drawn for each entry, sample and step\n"
      "otherwise: y = 0";
  static constexpr LayerExample example{"",
                                        "- bernoulli: {name: mask, prob: 0.9, neuron_dims: [100]}"};
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
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
