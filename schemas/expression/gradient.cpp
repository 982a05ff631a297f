// Derivatives and composition of expressions.
#include "schemas/expression/builder.hpp"

#include <algorithm>
#include <utility>

#include "schemas/expression/function_info.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann {

namespace {

bool is_function(Node const& node, Function function) {
  return node.kind == Node::Kind::function && node.function == function;
}

/// Rectifiers tell the sign of their argument by their value, so that the argument itself need not
/// be kept for the backward pass. Gives the comparison node whose argument `output` can stand for,
/// or nothing:
///   select(less_equal(x, k), k, x)               value <= k exactly where x <= k
///   multiply(x, select(less(0, x), 1, s >= 0))   value > 0 exactly where x > 0
std::optional<std::uint32_t> comparison_told_by(std::vector<Node> const& nodes,
                                                Node const& output) {
  auto const constant = [&](std::uint32_t n) { return nodes[n].kind == Node::Kind::constant; };
  auto const [a, b, c] = output.arguments;
  if (is_function(output, Function::select) && is_function(nodes[a], Function::less_equal) &&
      nodes[a].arguments[0] == c && nodes[a].arguments[1] == b && constant(b))
    return a;
  if (!is_function(output, Function::multiply)) return std::nullopt;
  for (auto const& [x, slope] : {std::pair{a, b}, std::pair{b, a}}) {
    if (!is_function(nodes[slope], Function::select)) continue;
    auto const [condition, above, below] = nodes[slope].arguments;
    if (is_function(nodes[condition], Function::less) && nodes[condition].arguments[1] == x &&
        constant(nodes[condition].arguments[0]) &&
        nodes[nodes[condition].arguments[0]].constant == 0 && constant(above) &&
        nodes[above].constant == 1 && constant(below) && nodes[below].constant >= 0)
      return condition;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Expression> gradient_of(Expression const& expression, std::size_t operand,
                                      std::vector<bool> const& has_gradient) {
  auto const& nodes = expression.nodes;
  auto const operands = expression.operand_count();
  auto const outputs = expression.outputs.size();
  ExpressionBuilder builder;

  // The value of every node; an output is read instead of computed again.
  std::vector<Term> value(nodes.size());
  std::vector<bool> depends(nodes.size(), false);
  std::vector<std::size_t> output_at(nodes.size(), outputs);
  std::vector<std::optional<std::size_t>> told_by(nodes.size());  // comparison -> output
  for (std::size_t o = outputs; o-- > 0;) {
    output_at[expression.outputs[o]] = o;
    if (auto const n = comparison_told_by(nodes, nodes[expression.outputs[o]])) told_by[*n] = o;
  }
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    auto const& node = nodes[n];
    if (node.kind == Node::Kind::operand) {
      value[n] = builder.operand(node.arguments[0]);
      depends[n] = node.arguments[0] == operand;
    } else if (node.kind == Node::Kind::constant) {
      value[n] = builder.constant(node.constant);
    } else {
      std::array<Term, 3> arguments{};
      auto const arity = std::min<std::size_t>(info_of(node.function).arity, 3);
      for (std::size_t i = 0; i < arity; ++i) {
        arguments[i] = value[node.arguments[i]];
        depends[n] = depends[n] || depends[node.arguments[i]];
      }
      if (told_by[n])
        arguments[node.function == Function::less ? 1 : 0] =
            builder.operand(operands + *told_by[n]);
      value[n] = output_at[n] < outputs
                     ? builder.operand(operands + output_at[n])
                     : builder.apply(node.function, std::span<Term const>(arguments.data(), arity));
    }
  }

  std::vector<std::optional<Term>> gradient(nodes.size());
  auto accumulate = [&](std::size_t node, Term term) {
    gradient[node] = gradient[node] ? *gradient[node] + term : term;
  };
  for (std::size_t o = 0; o < outputs; ++o)
    if (has_gradient[o] && depends[expression.outputs[o]])
      accumulate(expression.outputs[o], builder.operand(operands + outputs + o));

  std::optional<Term> result;
  for (std::size_t n = nodes.size(); n-- > 0;) {
    if (!gradient[n] || !depends[n]) continue;
    auto const& node = nodes[n];
    if (node.kind == Node::Kind::operand) {
      result = result ? *result + *gradient[n] : *gradient[n];
      continue;
    }
    auto const& info = info_of(node.function);
    std::array<Term, 3> arguments{};
    for (std::size_t i = 0; i < std::min<std::size_t>(info.arity, 3); ++i)
      arguments[i] = value[node.arguments[i]];
    for (std::size_t i = 0; i < info.arity; ++i) {
      if (!depends[node.arguments[i]]) continue;
      auto const derivative = info.derivative(arguments.data(), value[n], i);
      auto term = *gradient[n] * derivative;
      if (info.zero_gradient_stays) {
        auto const zero = builder.constant(0);
        auto const none = builder.apply(Function::equal, {*gradient[n], zero});
        term = builder.apply(Function::select, {none, zero, term});
      }
      if (!builder.is_constant(term, 0)) accumulate(node.arguments[i], term);
    }
  }
  if (!result || builder.is_constant(*result, 0)) return std::nullopt;
  return builder.finish({*result});
}

Expression compose(Expression const& producer, std::size_t output, Expression const& consumer,
                   std::size_t at, std::vector<std::size_t> const& keep) {
  ExpressionBuilder builder(Algebra::verbatim);
  std::vector<Term> operands;
  for (std::size_t i = 0; i < producer.operand_count(); ++i) operands.push_back(builder.operand(i));
  auto const produced = builder.inlined(producer, operands);
  std::vector<Term> consumed;
  for (std::size_t i = 0; i < consumer.operand_count(); ++i)
    consumed.push_back(i == at ? produced[output]
                               : builder.operand(producer.operand_count() + i - (i > at ? 1 : 0)));
  auto outputs = builder.inlined(consumer, consumed);
  for (auto kept : keep) outputs.push_back(produced[kept]);
  return builder.finish(outputs);
}

Expression renumbered(Expression const& expression, std::vector<std::size_t> const& numbers) {
  ExpressionBuilder builder(Algebra::verbatim);
  std::vector<Term> operands;
  operands.reserve(numbers.size());
  for (auto number : numbers) operands.push_back(builder.operand(number));
  return builder.finish(builder.inlined(expression, operands));
}

std::vector<std::size_t> used_operands(Expression const& expression) {
  std::vector<bool> used(expression.operand_count(), false);
  for (auto const& node : expression.nodes)
    if (node.kind == Node::Kind::operand) used[node.arguments[0]] = true;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i]) numbers.push_back(i);
  return numbers;
}

}  // namespace lbann
