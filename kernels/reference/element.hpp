// Elements of views one at a time: what reference kernels are written with.
#pragma once

#include "kernels/conversion.hpp"
#include "kernels/reference/number.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::kernels::reference {

/// Element `index` (in C order) as a double.
double load(View const& view, std::int64_t index);

/// Sets element `index`, rounding to the view's type.
void store(View const& view, std::int64_t index, double value);

template <class Number = double>
Number get(View const& view, std::int64_t index) {
  return Number(load(view, index));
}

template <class Number>
void set(View const& view, std::int64_t index, Number value) {
  store(view, index, static_cast<double>(value));
}

/// Inner product of `count` elements of `a` from index `i` on and of `b` from index `j` on.
template <class Number>
Number inner_product(View const& a, std::int64_t i, View const& b, std::int64_t j,
                     std::int64_t count) {
  Number sum = 0;
  for (std::int64_t e = 0; e < count; ++e) sum += get<Number>(a, i + e) * get<Number>(b, j + e);
  return sum;
}

/// `value` rounded to `type`.
double rounded(double value, DataType type);

/// Where an operand that is broadcast to `shape` has its element for element `index` of `shape`.
std::int64_t broadcast_index(View const& operand, std::span<std::int64_t const> shape,
                             std::int64_t index);

/// Where element `index` of `shape` goes when `axes` vanish.
std::int64_t kept_index(std::span<std::int64_t const> shape, std::span<std::int64_t const> axes,
                        std::int64_t index);

/// Values of all nodes of `expression`; operands and constants rounded to `compute`.
template <class Number>
void evaluate(Expression const& expression, DataType compute, std::span<Number const> operands,
              std::span<Number> values) {
  for (std::size_t i = 0; i < expression.nodes.size(); ++i) {
    auto const& node = expression.nodes[i];
    if (node.kind == Node::Kind::operand) {
      values[i] = Number(rounded(static_cast<double>(operands[node.arguments[0]]), compute));
    } else if (node.kind == Node::Kind::constant) {
      values[i] = Number(rounded(node.constant, compute));
    } else {
      std::array<double, 3> arguments{};
      auto const& info = info_of(node.function);
      for (std::size_t a = 0; a < info.arity; ++a)
        arguments[a] = static_cast<double>(values[node.arguments[a]]);
      values[i] = FunctionValue<Number>::of(info.value(arguments.data()));
    }
  }
}

}  // namespace lbann::kernels::reference
