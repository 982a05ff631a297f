#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Batch normalization of each entry by itself, with the statistics of `BatchStatistics`.
struct entrywise_batch_normalization {
  static constexpr std::string_view name = "entrywise_batch_normalization";
  static constexpr std::string_view summary =
      "Each entry of a sample brought to mean 0 and variance 1 over the mini-batch.";
  static constexpr std::string_view shapes = "x [n...] -> y [n...]";
  static constexpr std::string_view formula =
      "y[i] = (x[i] - m[i]) / sqrt(v[i] + epsilon)\n"
      "m, v = mean and variance of each entry, over all samples of the mini-batch (on all "
      "ranks)\n"
      "v is the sum of squared deviations divided by their number less 1, at least epsilon; 1 "
      "if there is only one\n"
      "after each step of training: running_mean = decay running_mean + (1 - decay) m, "
      "running_variance alike\n"
      "from v; both stay as they are where there is only one value\n"
      "outside of training: m = running_mean, v = running_variance";
  static constexpr LayerExample example{"x=3x4",
                                        "- entrywise_batch_normalization: {name: bn, parents: x}"};
  static constexpr Arity parents{1, 1}, children{1, 1};
  static constexpr Values gives = Values::scores;

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

  static std::int64_t numbers_with_one_mean(Dims const&) { return 1; }
  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  std::vector<WeightsRole> weights(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
