#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Each entry summed over the mini-batch, the same for each sample.
struct batchwise_reduce_sum {
  static constexpr std::string_view name = "batchwise_reduce_sum";
  static constexpr std::string_view summary =
      "Each entry summed over the mini-batch, the same for each sample.";
  static constexpr std::string_view shapes = "x [n...] -> y [n...]";
  static constexpr std::string_view formula =
      "y = sum over samples of the mini-batch (on all ranks): x, the same for each sample\n"
      "dx = sum over samples: dy";
  static constexpr LayerExample example{"x=3x4", "- batchwise_reduce_sum: {parents: x}"};
  static constexpr Arity parents{1, 1}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
