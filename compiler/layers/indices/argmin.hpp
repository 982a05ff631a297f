#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// The place of the smallest entry.
struct argmin {
  static constexpr std::string_view name = "argmin";
  static constexpr std::string_view summary = "Index of the smallest entry of a sample.";
  static constexpr std::string_view shapes = "x [n...] -> y [1]";
  static constexpr std::string_view formula =
      "y = index in the sample of its smallest entry, the first of equals\n"
      "dx = 0";
  static constexpr LayerExample example{"x=10", "- argmin: {parents: x}"};
  static constexpr Arity parents{1, 1}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
