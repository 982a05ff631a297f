// The layer `argmin`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Output [1]: index of the smallest entry of a sample, the first of equals. No gradient.
struct argmin {
  static constexpr std::string_view name = "argmin";
  static constexpr std::string_view summary = "Index of the smallest entry of a sample.";
  static constexpr Arity parents{1, 1}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
