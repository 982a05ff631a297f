// What gather and scatter share: an axis whose entries are named by indices.
#pragma once

#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators::rules {

/// Which axis of the values the indices refer to (`axis`), and how many leading axes values and
/// indices have in common (`batch_axes`).
struct IndexedAxis {
  std::int64_t axis = 1;
  std::int64_t batch_axes = 1;
};

/// Shape of the entries named: that of `values` with `axis` replaced by the axes of `indices`
/// beyond the first `batch_axes`.
Result<Shape> gathered_shape(std::string_view op, Shape const& values, TensorType const& indices,
                             IndexedAxis at);

/// Loops of `gather` (inputs: values, indices; output: what is taken), or of its transpose
/// `scatter` (inputs: what is taken, indices; output: the values).
Loops loops_of_indexing(Signature const& signature, bool scatters, IndexedAxis at);

}  // namespace lbann::operators::rules
