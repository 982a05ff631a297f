#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// In training each value is drawn with its probability, otherwise all are the most probable
/// one.
struct discrete_random {
  static constexpr std::string_view name = "discrete_random";
  static constexpr std::string_view summary = "Given values drawn by given probabilities.";
  static constexpr std::string_view shapes = "p [number of values] -> y [dims]";
  static constexpr std::string_view formula =
      "in training: y[i] = values[j], j drawn with probability p[j] for each entry, sample and "
      "step\n"
      "otherwise: y[i] = values[argmax(p)]\n"
      "dp = 0";
  static constexpr LayerExample example{
      "probabilities=3",
      "- discrete_random: {parents: probabilities, values: [-1, 0, 1], dims: [5]}"};
  static constexpr Arity parents{1, 1}, children{1, 1};

  std::vector<double> values;
  std::vector<std::int64_t> dims;

  static constexpr auto fields() {
    return std::tuple{
        field("values", &discrete_random::values, "What is drawn from.", Presence::required),
        field("dims", &discrete_random::dims, "Dims of the output.", Presence::required, {},
              at_least_one)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
