// The layer `relu`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// max(x, 0).
struct relu {
  static constexpr std::string_view name = "relu";
  static constexpr std::string_view summary = "max(x, 0).";
  static constexpr Arity parents{1, 1}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
