// How the tensors of a map are traversed, and what an element costs.
#pragma once

#include "kernels/map/map_code.hpp"

namespace lbann::kernels {

/// Sets axes, operands and outputs of `code`: axes that all operands traverse alike become one.
/// False if there are more of them, or types, than the engine takes.
bool bind_views(MapRequest const& request, MapCode& code);

/// Whether an operand is one element for a row or for all.
inline bool is_scalar(CodeOperand const& operand) {
  return operand.access == Access::scalar || operand.access == Access::row_scalar;
}

/// Rough time of one element on one core in nanoseconds: memory at 16 GB/s, functions by their
/// weight.
float estimated_cost(MapRequest const& request, MapCode const& code);
/// What memory alone takes of it.
float moving_cost(MapRequest const& request, MapCode const& code);

}  // namespace lbann::kernels
