#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Logarithm of the softmax over all entries of a sample.
struct log_softmax {
  static constexpr std::string_view name = "log_softmax";
  static constexpr std::string_view summary =
      "Logarithm of the softmax over all entries of a sample.";
  static constexpr std::string_view shapes = "x [n...] -> y [n...]";
  static constexpr std::string_view formula =
      "y[i] = x[i] - log(sum over j: exp(x[j])), j over all entries of the sample\n"
      "dx[i] = dy[i] - exp(y[i]) sum over j: dy[j]";
  static constexpr LayerExample example{"x=10", "- log_softmax: {parents: x}"};
  static constexpr auto in_mixed_precision = InMixedPrecision::wide;
  static constexpr Arity parents{1, 1}, children{1, 1};
  static constexpr Values gives = Values::logarithms;

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
