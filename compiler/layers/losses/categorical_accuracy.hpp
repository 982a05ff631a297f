#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Whether two samples have their largest entry at the same place.
struct categorical_accuracy {
  static constexpr std::string_view name = "categorical_accuracy";
  static constexpr std::string_view summary =
      "1 where prediction and truth have their largest entry at the same place, else 0.";
  static constexpr std::string_view shapes = "y [n...], t [n...] -> z [1]";
  static constexpr std::string_view formula =
      "z = [argmax(y) = argmax(t)], argmax being the index of the largest entry, the first of "
      "equals\n"
      "dy = dt = 0";
  static constexpr LayerExample example{
      "probabilities=10 truth=10", "- categorical_accuracy: {parents: [probabilities, truth]}"};
  static constexpr Arity parents{2, 2}, children{1, 1};
  static constexpr Values compares = Values::any;

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
  bool compares_inputs() const { return true; }
};

}  // namespace lbann::compiler::layers
