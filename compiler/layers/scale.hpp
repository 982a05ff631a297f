// The layer `scale`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// constant * x.
struct scale {
  static constexpr std::string_view name = "scale";
  static constexpr std::string_view summary = "constant * x.";
  static constexpr Arity parents{1, 1}, children{1, 1};

  double constant = 1;

  static constexpr auto fields() {
    return std::tuple{field("constant", &scale::constant, "Factor.", Presence::required)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
