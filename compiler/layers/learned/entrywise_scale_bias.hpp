#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Each entry of a sample with a trained factor and summand.
struct entrywise_scale_bias {
  static constexpr std::string_view name = "entrywise_scale_bias";
  static constexpr std::string_view summary =
      "Entries of a sample scaled and moved by trained numbers.";
  static constexpr std::string_view shapes = "x [n...] -> y [n...]";
  static constexpr std::string_view formula =
      "y[i] = a[i] x[i] + b[i]\n"
      "a and b are columns 0 and 1 of <layer>_weights [entries of x, 2], at first 1 and 0";
  static constexpr LayerExample example{"x=4",
                                        "- entrywise_scale_bias: {name: affine, parents: x}"};
  static constexpr Arity parents{1, 1}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  std::vector<WeightsRole> weights(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
