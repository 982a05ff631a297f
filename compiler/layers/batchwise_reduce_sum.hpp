// The layer `batchwise_reduce_sum`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Each entry summed over the mini-batch, the same for each sample.
struct batchwise_reduce_sum {
  static constexpr std::string_view name = "batchwise_reduce_sum";
  static constexpr std::string_view summary =
      "Each entry summed over the mini-batch, the same for each sample.";
  static constexpr Arity parents{1, 1}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
