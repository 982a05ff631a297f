// The layer `entrywise_batch_normalization`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// y = (x - mean) / sqrt(variance + epsilon) for each entry of a sample, with the statistics of
/// `BatchStatistics` over the mini-batch. Weights, each of the input's dims:
/// `<layer>_running_mean`, 0; `<layer>_running_variance`, 1.
struct entrywise_batch_normalization {
  static constexpr std::string_view name = "entrywise_batch_normalization";
  static constexpr std::string_view summary =
      "Each entry of a sample brought to mean 0 and variance 1 over the mini-batch.";
  static constexpr Arity parents{1, 1}, children{1, 1};

  double decay = 0.9;
  double epsilon = 1e-5;

  static constexpr auto fields() {
    using L = entrywise_batch_normalization;
    return std::tuple{
        field("decay", &L::decay, "Part of the running statistics that a step leaves as it was.",
              zero_to_one),
        field("epsilon", &L::epsilon, "Added to the variance, which is at least that.",
              at_least_zero)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  std::vector<WeightsRole> weights(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
