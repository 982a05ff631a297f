// Expressions of scalar functions: what a map computes for each element.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lbann {

/// Index of a scalar function in the list of `schemas/functions/meson.build`; the enumerators are
/// in the generated `schemas/expression/function_list.hpp`.
enum class Function : std::uint16_t;

/// One value of an expression: an operand, a constant, or a function of earlier nodes.
struct Node {
  enum class Kind : std::uint8_t { operand, constant, function };

  Kind kind = Kind::constant;
  Function function{};  ///< for `function`
  std::array<std::uint32_t, 3>
      arguments{};      ///< earlier nodes, as many as the function takes; for `operand` its number
  double constant = 0;  ///< for `constant`; rounded to the type computed in

  friend bool operator==(Node const&, Node const&) = default;
};

/// A directed acyclic graph in order of evaluation, without duplicates, with one or more results.
/// Text form: `(add(i0, multiply(i1, 0.5)), i0)`; a function used more than once is written once,
/// before the outputs: `(t0 = exp(i0); divide(t0, add(t0, 1)))`. Parses back to an equal expression
/// where the order of evaluation is the builder's.
struct Expression {
  std::vector<Node> nodes;
  std::vector<std::uint32_t> outputs;

  bool empty() const { return outputs.empty(); }
  /// One more than the highest operand number used; 0 for none.
  std::size_t operand_count() const;
  friend bool operator==(Expression const&, Expression const&) = default;
};

std::string to_text(Expression const& expression);
std::optional<Expression> parse_expression(std::string_view text);

/// Why `expression` is malformed (an argument that is not earlier, an unknown function, an output
/// out of range, an operand that is none of `operands`, limits exceeded), or nothing.
std::optional<std::string> verify(Expression const& expression, std::size_t operands);

/// Most operands and outputs of one map, registers of the bytecode that runs it, nodes of one
/// expression.
inline constexpr std::size_t max_operands = 16, max_outputs = 8, max_registers = 16,
                             max_nodes = 1024;

}  // namespace lbann
