// What makes an expression sound.
#include "schemas/expression/expression.hpp"

#include <algorithm>

#include "schemas/expression/function_info.hpp"
#include "schemas/expression/registers.hpp"

namespace lbann {

std::size_t Expression::operand_count() const {
  std::size_t count = 0;
  for (auto const& node : nodes)
    if (node.kind == Node::Kind::operand)
      count = std::max<std::size_t>(count, std::size_t{node.arguments[0]} + 1);
  return count;
}

std::optional<std::string> verify(Expression const& expression, std::size_t operands) {
  if (expression.nodes.size() > max_nodes)
    return "the expression has more than " + std::to_string(max_nodes) + " nodes";
  if (expression.outputs.empty()) return "the expression has no output";
  if (expression.outputs.size() > max_outputs)
    return "the expression has more than " + std::to_string(max_outputs) + " outputs";
  for (std::size_t n = 0; n < expression.nodes.size(); ++n) {
    auto const& node = expression.nodes[n];
    auto const where = [&] { return "node " + std::to_string(n) + " of the expression "; };
    switch (node.kind) {
      case Node::Kind::constant:
        break;
      case Node::Kind::operand:
        if (node.arguments[0] >= operands)
          return where() + "reads operand " + std::to_string(node.arguments[0]) + " of " +
                 std::to_string(operands);
        break;
      case Node::Kind::function: {
        if (static_cast<std::size_t>(node.function) >= function_count())
          return where() + "names an unknown function";
        auto const arity = info_of(node.function).arity;
        for (std::size_t i = 0; i < arity; ++i)
          if (node.arguments[i] >= n) return where() + "uses a value that is not earlier";
        break;
      }
      default:
        return where() + "is of no known kind";
    }
  }
  for (auto output : expression.outputs)
    if (output >= expression.nodes.size()) return "an output of the expression is out of range";
  if (expression.operand_count() > max_operands)
    return "the expression has more than " + std::to_string(max_operands) + " operands";
  if (!fits_registers(expression))
    return "the expression needs " + std::to_string(allocate_registers(expression).count) +
           " registers of " + std::to_string(max_registers);
  return std::nullopt;
}

}  // namespace lbann
