// Normalisation with statistics over the mini-batch, as layers share it.
#pragma once

#include "compiler/layers/layer.hpp"
#include "schemas/expression/builder.hpp"

namespace lbann::compiler::layers {

/// y = (x - mean) / sqrt(variance + epsilon) * scale + bias, in training with the mean and variance
/// over the mini-batch and more axes, otherwise with running ones. The variance is at least
/// epsilon. After a step of training the running statistics become decay times what they were plus
/// (1 - decay) times those of the step. Of a single value the variance counts as 1, and the running
/// statistics stay.
struct BatchStatistics {
  double decay = 0, epsilon = 0;
  bool bessel = true;       ///< squared deviations are divided by their number less 1
  std::size_t kept = 0;     ///< leading axes of a sample that have statistics of their own
  bool affine = false;      ///< roles 0 and 1 of the weights are scale and bias, [kept...]
  std::size_t running = 0;  ///< role of the running mean; that of the variance is the next

  /// `_running_mean`, zero, and `_running_variance`, one; not trained.
  static std::vector<WeightsRole> running_weights(Dims const& dims);

  /// Output 0 of input 0.
  void lower(LoweringContext& lowering) const;

 private:
  struct Result {
    TensorId center, factor, bias;  ///< [kept...]
  };
  Result of_mini_batch(LoweringContext& lowering, TensorId x, Shape const& kept_shape) const;
  Result of_training(LoweringContext& lowering) const;
  Term variance_of(ExpressionBuilder& build, Term m2, Term count) const;
  Expression moved(bool is_variance) const;
};

}  // namespace lbann::compiler::layers
