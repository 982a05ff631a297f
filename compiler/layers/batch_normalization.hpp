// The layer `batch_normalization`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// y = scale (x - mean) / sqrt(variance + epsilon) + bias for each channel of x [c, ...], with the
/// statistics of `BatchStatistics` over the whole mini-batch. Weights, each [c]: `<layer>_scale`,
/// 1; `<layer>_bias`, 0; `<layer>_running_mean`, 0; `<layer>_running_variance`, 1.
struct batch_normalization {
  static constexpr std::string_view name = "batch_normalization";
  static constexpr std::string_view summary =
      "Each channel brought to mean 0 and variance 1 over the mini-batch, then scaled and moved.";
  static constexpr Arity parents{1, 1}, children{1, 1};

  double decay = 0.9;
  double epsilon = 1e-5;
  std::int64_t statistics_group_size = 0;
  bool no_bessel_correction = false;
  double scale_init = 1;
  double bias_init = 0;
  std::string stats_aggregation;

  static constexpr auto fields() {
    using L = batch_normalization;
    return std::tuple{
        field("decay", &L::decay, "Part of the running statistics that a step leaves as it was.",
              zero_to_one),
        field("epsilon", &L::epsilon, "Added to the variance, which is at least that.",
              at_least_zero),
        field("statistics_group_size", &L::statistics_group_size,
              "Ranks that take statistics together in LBANN. Here they are taken over the whole "
              "mini-batch, so that results do not depend on the number of ranks."),
        field("no_bessel_correction", &L::no_bessel_correction,
              "Divide squared deviations by their number instead of that less 1."),
        inert(field("scale_init", &L::scale_init, "First value of the scale."),
              "LBANN does not read it; give the layer `weights` with a constant_initializer"),
        inert(field("bias_init", &L::bias_init, "First value of the bias."),
              "LBANN does not read it; give the layer `weights` with a constant_initializer"),
        inert(field("stats_aggregation", &L::stats_aggregation, "Who takes statistics together."),
              "statistics are taken over the whole mini-batch")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  std::vector<WeightsRole> weights(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
