// Elements of views one at a time, in double: what reference kernels are written with.
#pragma once

#include "kernels/kernel.hpp"

namespace lbann::kernels::reference {

/// Element `index` (in C order) as a double.
double get(View const& view, std::int64_t index);

/// Sets element `index`, rounding to the view's type.
void set(View const& view, std::int64_t index, double value);

/// `value` rounded to `type`.
double rounded(double value, DataType type);

/// Where an operand that is broadcast to `shape` has its element for element `index` of `shape`.
std::int64_t broadcast_index(View const& operand, std::span<std::int64_t const> shape,
                             std::int64_t index);

/// Whether all views of `call` have types that `get` and `set` know.
bool loadable(Call const& call);

/// Values of all nodes of `expression`; `operands` in double, constants rounded to `compute`.
void evaluate(Expression const& expression, DataType compute, std::span<double const> operands,
              std::span<double> values);

}  // namespace lbann::kernels::reference
