// The layer `add`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// x + y.
struct add {
  static constexpr std::string_view name = "add";
  static constexpr std::string_view summary = "x + y.";
  static constexpr Arity parents{2, 2}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
