// Faults of expressions.
#include "schemas/expression/expression.hpp"

#include <doctest/doctest.h>

#include "schemas/expression/builder.hpp"

using namespace lbann;

TEST_CASE("verify(Expression)") {
  auto const good = *parse_expression("(add(i0, multiply(i1, 2)), i1)");
  CHECK_FALSE(verify(good, 2).has_value());
  CHECK(verify(good, 1).has_value());
  CHECK(verify(Expression{}, 0).has_value());

  auto bad = good;
  bad.outputs[0] = 99;
  CHECK(verify(bad, 2).has_value());
  bad = good;
  bad.nodes.back().arguments[1] = static_cast<std::uint32_t>(bad.nodes.size());
  CHECK(verify(bad, 2).has_value());
  bad = good;
  bad.nodes.back().function = static_cast<Function>(999);
  CHECK(verify(bad, 2).has_value());
  bad = good;
  bad.nodes.front().kind = static_cast<Node::Kind>(9);
  CHECK(verify(bad, 2).has_value());
  bad = good;
  bad.outputs.assign(max_outputs + 1, 0);
  CHECK(verify(bad, 2).has_value());
  bad = good;
  bad.nodes.front().arguments[0] = max_operands;
  CHECK(verify(bad, 100).has_value());
}

TEST_CASE("verify(Expression) bounds nodes and registers") {
  ExpressionBuilder build;
  auto sum = build.operand(0);
  while (build.finish({sum}).nodes.size() <= max_nodes) sum = sum + sum * 1.5;
  CHECK(verify(build.finish({sum}), 1).has_value());
}
