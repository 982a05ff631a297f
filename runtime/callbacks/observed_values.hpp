// Observed values of a step, gathered from all ranks.
#pragma once

#include <string>
#include <vector>

#include "runtime/callbacks/callback.hpp"

namespace lbann::runtime {

/// A tensor in memory, in C order.
struct GatheredValue {
  DataType type = DataType::f32;
  std::vector<std::int64_t> dims;  ///< samples first, if there are any
  std::vector<std::byte> data;

  std::int64_t rows() const { return dims.empty() ? 1 : dims[0]; }
  std::int64_t columns() const;
  /// Element `index` in C order.
  double at(std::int64_t index) const;
};

/// The values of `tensor` for every sample of the mini-batch, in their order, on the trainer root;
/// nothing on the others. A tensor without samples is the root's, or put together of the parts that
/// ranks hold. Collective.
GatheredValue gather(CallbackContext const& run, TensorId tensor, Iteration const& iteration);

/// Observations of the steps of `mode` that are of this kind.
std::vector<Observation const*> observations_of(Plan const& plan, Observable observable,
                                                ExecutionMode mode);

}  // namespace lbann::runtime
