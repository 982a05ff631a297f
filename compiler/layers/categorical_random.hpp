// The layer `categorical_random`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Input: probabilities; output of the same dims: 1 at one entry, 0 elsewhere. In training each
/// entry is chosen with its probability, outside of training the most probable one. No gradient.
struct categorical_random {
  static constexpr std::string_view name = "categorical_random";
  static constexpr std::string_view summary = "One entry chosen by given probabilities.";
  static constexpr Arity parents{1, 1}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
