#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Mean of the squared distances of the entries of two samples.
struct mean_squared_error {
  static constexpr std::string_view name = "mean_squared_error";
  static constexpr std::string_view summary = "Mean of (x - y)^2 over the entries of a sample.";
  static constexpr std::string_view shapes = "x [n...], y [n...] -> z [1]";
  static constexpr std::string_view formula = "z = mean over i: (x[i] - y[i])^2";
  static constexpr LayerExample example{"prediction=10 truth=10",
                                        "- mean_squared_error: {parents: [prediction, truth]}"};
  static constexpr Arity parents{2, 2}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
  bool compares_inputs() const { return true; }
};

}  // namespace lbann::compiler::layers
