// An affine map with trained weights, as fully connected layers share it.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// y = W x + b of vectors of `inputs` entries.
struct Affine {
  std::int64_t inputs = 0, outputs = 0;
  bool bias = true;
  bool transpose = false;  ///< W is stored as [inputs, outputs] instead of [outputs, inputs]

  /// `_linearity_weights`, He normal, and `_bias_weights`, zero.
  std::vector<WeightsRole> weights() const;
  /// y [rows, outputs] of the layer's weights and x, whose entries are [rows, inputs].
  TensorId lower(LoweringContext& lowering, TensorId x, Extent rows) const;
};

}  // namespace lbann::compiler::layers
