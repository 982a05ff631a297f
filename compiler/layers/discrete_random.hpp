// The layer `discrete_random`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Input: a probability for each of `values`; output [dims] of these values. In training each is
/// drawn with its probability, outside of training all are the most probable one. No gradient.
struct discrete_random {
  static constexpr std::string_view name = "discrete_random";
  static constexpr std::string_view summary = "Given values drawn by given probabilities.";
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
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
