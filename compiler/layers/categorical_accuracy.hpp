// The layer `categorical_accuracy`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// 1 where prediction and truth have their largest entry (the first of equals) at the same place,
/// else 0. No gradient.
struct categorical_accuracy {
  static constexpr std::string_view name = "categorical_accuracy";
  static constexpr std::string_view summary =
      "1 where prediction and truth have their largest entry at the same place, else 0.";
  static constexpr Arity parents{2, 2}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
