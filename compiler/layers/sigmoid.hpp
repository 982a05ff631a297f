// The layer `sigmoid`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// 1 / (1 + exp(-x)).
struct sigmoid {
  static constexpr std::string_view name = "sigmoid";
  static constexpr std::string_view summary = "1 / (1 + exp(-x)).";
  static constexpr Arity parents{1, 1}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
