// Building expressions: merging of equal nodes, folding, order of evaluation.
#include "schemas/expression/builder.hpp"

#include <algorithm>
#include <bit>

#include "schemas/expression/function_info.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann {

namespace {

std::size_t hash_of(Node const& node) {
  auto mix = [](std::uint64_t h, std::uint64_t v) {
    h = (h ^ v) * 0x9e3779b97f4a7c15u;
    return h ^ (h >> 29);
  };
  auto h = mix(static_cast<std::uint64_t>(node.kind), static_cast<std::uint64_t>(node.function));
  for (auto argument : node.arguments) h = mix(h, argument);
  return static_cast<std::size_t>(mix(h, std::bit_cast<std::uint64_t>(node.constant)));
}

/// Equal bits: 0 and -0 differ, a NaN equals itself.
bool same(Node const& a, Node const& b) {
  return a.kind == b.kind && a.function == b.function && a.arguments == b.arguments &&
         std::bit_cast<std::uint64_t>(a.constant) == std::bit_cast<std::uint64_t>(b.constant);
}

}  // namespace

void ExpressionBuilder::grow_table() {
  table_.assign(table_.empty() ? 32 : 2 * table_.size(), 0);
  nodes_.reserve(table_.size() / 2);
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    auto place = hash_of(nodes_[i]) & (table_.size() - 1);
    while (table_[place] != 0) place = (place + 1) & (table_.size() - 1);
    table_[place] = i + 1;
  }
}

Term ExpressionBuilder::add(Node const& node) {
  if (2 * (nodes_.size() + 1) > table_.size()) grow_table();
  auto place = hash_of(node) & (table_.size() - 1);
  for (; table_[place] != 0; place = (place + 1) & (table_.size() - 1))
    if (same(nodes_[table_[place] - 1], node)) return {this, table_[place] - 1};
  nodes_.push_back(node);
  table_[place] = static_cast<std::uint32_t>(nodes_.size());
  return {this, table_[place] - 1};
}

Term ExpressionBuilder::operand(std::size_t number) {
  Node node;
  node.kind = Node::Kind::operand;
  node.arguments[0] = static_cast<std::uint32_t>(number);
  return add(node);
}

Term ExpressionBuilder::constant(double value) {
  Node node;
  node.constant = value;
  return add(node);
}

bool ExpressionBuilder::is_constant(Term term, double value) const {
  auto const& node = nodes_[term.node];
  return node.kind == Node::Kind::constant && node.constant == value;
}

bool ExpressionBuilder::is_rounded(Term term, Function rounding) const {
  // From the arguments on, which come before what is made of them.
  struct Known {
    bool holds = false, zero_or_one = false;
  };
  std::vector<Known> known(term.node + 1);
  for (std::size_t i = 0; i <= term.node; ++i) {
    auto const& node = nodes_[i];
    if (node.kind == Node::Kind::constant) {
      known[i] = {info_of(rounding).value(&node.constant) == node.constant,
                  node.constant == 0 || node.constant == 1};
    } else if (node.kind == Node::Kind::function) {
      auto const argument = [&](std::size_t a) { return known[node.arguments[a]]; };
      if (node.function == rounding)
        known[i].holds = true;
      else if (node.function == Function::select)
        known[i] = {argument(1).holds && argument(2).holds,
                    argument(1).zero_or_one && argument(2).zero_or_one};
      else if (node.function == Function::multiply)
        known[i].holds = (argument(0).holds && argument(1).zero_or_one) ||
                         (argument(0).zero_or_one && argument(1).holds);
    }
  }
  return known[term.node].holds;
}

std::optional<Term> ExpressionBuilder::simplified(Function function, std::span<Term const> x) {
  std::array<double, 3> values{};
  bool all_constant = true;
  for (std::size_t i = 0; i < x.size(); ++i) {
    auto const& node = nodes_[x[i].node];
    all_constant = all_constant && node.kind == Node::Kind::constant;
    values[i] = node.constant;
  }
  if (all_constant) return constant(info_of(function).value(values.data()));

  auto is = [&](std::size_t i, double value) { return is_constant(x[i], value); };
  auto const& first = nodes_[x[0].node];
  switch (function) {
    case Function::add:
      if (is(0, 0)) return x[1];
      if (is(1, 0)) return x[0];
      break;
    case Function::subtract:
      if (is(1, 0)) return x[0];
      if (is(0, 0)) return apply(Function::negative, {x[1]});
      break;
    case Function::multiply:
      if (is(0, 0) || is(1, 0)) return constant(0);
      if (is(0, 1)) return x[1];
      if (is(1, 1)) return x[0];
      if (is(0, -1)) return apply(Function::negative, {x[1]});
      if (is(1, -1)) return apply(Function::negative, {x[0]});
      break;
    case Function::divide:
      if (is(0, 0)) return constant(0);
      if (is(1, 1)) return x[0];
      break;
    case Function::negative:
      if (first.kind == Node::Kind::function && first.function == Function::negative)
        return Term{this, first.arguments[0]};
      break;
    case Function::select:
      if (first.kind == Node::Kind::constant) return first.constant != 0 ? x[1] : x[2];
      if (x[1].node == x[2].node) return x[1];
      break;
    default:
      break;
  }
  return std::nullopt;
}

Term ExpressionBuilder::apply(Function function, std::span<Term const> arguments) {
  if (algebra_ == Algebra::simplify)
    if (auto const term = simplified(function, arguments)) return *term;
  Node node;
  node.kind = Node::Kind::function;
  node.function = function;
  for (std::size_t i = 0; i < arguments.size(); ++i) node.arguments[i] = arguments[i].node;
  return add(node);
}

Term ExpressionBuilder::apply(Function function, std::initializer_list<Term> arguments) {
  return apply(function, std::span<Term const>(arguments.begin(), arguments.size()));
}

std::vector<Term> ExpressionBuilder::inlined_nodes(Expression const& expression,
                                                   std::vector<Term> const& operands) {
  std::vector<Term> terms;
  terms.reserve(expression.nodes.size());
  for (auto const& node : expression.nodes) {
    if (node.kind == Node::Kind::operand) {
      terms.push_back(operands[node.arguments[0]]);
    } else if (node.kind == Node::Kind::constant) {
      terms.push_back(constant(node.constant));
    } else {
      std::array<Term, 3> arguments{};
      auto const arity = std::min<std::size_t>(info_of(node.function).arity, 3);
      for (std::size_t i = 0; i < arity; ++i) arguments[i] = terms[node.arguments[i]];
      terms.push_back(apply(node.function, std::span<Term const>(arguments.data(), arity)));
    }
  }
  return terms;
}

std::vector<Term> ExpressionBuilder::inlined(Expression const& expression,
                                             std::vector<Term> const& operands) {
  auto const terms = inlined_nodes(expression, operands);
  std::vector<Term> outputs;
  outputs.reserve(expression.outputs.size());
  for (auto output : expression.outputs) outputs.push_back(terms[output]);
  return outputs;
}

Expression ExpressionBuilder::finish(std::vector<Term> const& outputs) const {
  constexpr std::uint32_t unknown = 0xffffffff;
  Expression expression;
  expression.nodes.reserve(nodes_.size());
  expression.outputs.reserve(outputs.size());
  std::vector<std::uint32_t> number(nodes_.size(), unknown);
  std::vector<std::pair<std::uint32_t, std::size_t>> path;  // node, next argument to visit
  path.reserve(8);
  for (auto const output : outputs) {
    if (number[output.node] == unknown) path.emplace_back(output.node, 0);
    while (!path.empty()) {
      auto& [index, next] = path.back();
      Node node = nodes_[index];
      auto const arity =
          node.kind == Node::Kind::function ? info_of(node.function).arity : std::size_t{0};
      while (next < arity && number[node.arguments[next]] != unknown) ++next;
      if (next < arity) {
        auto const child = node.arguments[next++];
        path.emplace_back(child, 0);
        continue;
      }
      for (std::size_t i = 0; i < arity; ++i) node.arguments[i] = number[node.arguments[i]];
      number[index] = static_cast<std::uint32_t>(expression.nodes.size());
      expression.nodes.push_back(node);
      path.pop_back();
    }
    expression.outputs.push_back(number[output.node]);
  }
  return expression;
}

Term operator+(Term a, Term b) { return a.builder->apply(Function::add, {a, b}); }
Term operator-(Term a, Term b) { return a.builder->apply(Function::subtract, {a, b}); }
Term operator*(Term a, Term b) { return a.builder->apply(Function::multiply, {a, b}); }
Term operator/(Term a, Term b) { return a.builder->apply(Function::divide, {a, b}); }
Term operator-(Term a) { return a.builder->apply(Function::negative, {a}); }
Term operator+(Term a, double b) { return a + a.builder->constant(b); }
Term operator-(Term a, double b) { return a - a.builder->constant(b); }
Term operator*(Term a, double b) { return a * a.builder->constant(b); }
Term operator/(Term a, double b) { return a / a.builder->constant(b); }
Term operator+(double a, Term b) { return b.builder->constant(a) + b; }
Term operator-(double a, Term b) { return b.builder->constant(a) - b; }
Term operator*(double a, Term b) { return b.builder->constant(a) * b; }
Term operator/(double a, Term b) { return b.builder->constant(a) / b; }

}  // namespace lbann
