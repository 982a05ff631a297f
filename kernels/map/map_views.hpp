// How the tensors of a map are traversed, and what an element costs.
#pragma once

#include "kernels/map/map_code.hpp"

namespace lbann::kernels {

/// Sets axes, operands and outputs of `code`; neighbouring axes that all operands traverse with the
/// same strides are merged. False if more axes remain than the engine takes, or for types it cannot
/// load.
bool bind_views(MapRequest const& request, MapCode& code);

/// Whether an operand has one element for each row, or one for all.
inline bool is_scalar(CodeOperand const& operand) {
  return operand.access == Access::scalar || operand.access == Access::row_scalar;
}

/// Rough time of one element on one core in nanoseconds, the larger of memory traffic at 16 GB/s
/// and the time of the functions.
float estimated_cost(MapRequest const& request, MapCode const& code);
/// The time of memory traffic alone.
float moving_cost(MapRequest const& request, MapCode const& code);

}  // namespace lbann::kernels
