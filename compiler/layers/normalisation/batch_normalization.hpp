#pragma once

#include <functional>
#include <numeric>

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Ioffe and Szegedy, "Batch normalization", 2015, with the statistics of `BatchStatistics`.
struct batch_normalization {
  static constexpr std::string_view name = "batch_normalization";
  static constexpr std::string_view summary =
      "Each channel brought to mean 0 and variance 1 over the mini-batch, then scaled and moved.";
  static constexpr std::string_view shapes = "x [c, n...] -> y [c, n...]";
  static constexpr std::string_view formula =
      "y[c, i] = scale[c] (x[c, i] - m[c]) / sqrt(v[c] + epsilon) + bias[c]\n"
      "m, v = mean and variance of each channel, over all samples of the mini-batch (on all "
      "ranks) and positions i\n"
      "v is the sum of squared deviations divided by their number less 1 "
      "(`no_bessel_correction`: by their number), at least\n"
      "epsilon; 1 if there is only one\n"
      "after each step of training: running_mean = decay running_mean + (1 - decay) m, "
      "running_variance alike\n"
      "from v; both stay as they are where there is only one value\n"
      "outside of training: m = running_mean, v = running_variance\n"
      "LBANN takes m and v of each rank's samples alone unless `statistics_group_size` says "
      "otherwise";
  static constexpr LayerExample example{"x=16x8x8",
                                        "- batch_normalization: {name: bn, parents: x}"};
  static constexpr Arity parents{1, 1}, children{1, 1};
  static constexpr Values gives = Values::scores;

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
        ignored(field("scale_init", &L::scale_init, "First value of the scale."),
                "LBANN does not read it; give the layer `weights` with a constant_initializer"),
        ignored(field("bias_init", &L::bias_init, "First value of the bias."),
                "LBANN does not read it; give the layer `weights` with a constant_initializer"),
        ignored(field("stats_aggregation", &L::stats_aggregation, "Who takes statistics together."),
                "statistics are taken over the whole mini-batch")};
  }

  static std::int64_t numbers_with_one_mean(Dims const& dims) {
    return std::accumulate(dims.begin() + 1, dims.end(), std::int64_t{1}, std::multiplies());
  }
  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  std::vector<WeightsRole> weights(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
