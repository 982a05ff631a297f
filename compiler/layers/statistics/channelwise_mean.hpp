#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// The mean of each channel.
struct channelwise_mean {
  static constexpr std::string_view name = "channelwise_mean";
  static constexpr std::string_view summary = "The mean of each channel of a sample.";
  static constexpr std::string_view shapes = "x [c, n...] -> y [c]";
  static constexpr std::string_view formula = "y[c] = mean over i: x[c, i]";
  static constexpr LayerExample example{"x=16x8x8", "- channelwise_mean: {parents: x}"};
  static constexpr Arity parents{1, 1}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
