// Building expressions: merging, folding, order, composition.
#include "schemas/expression/builder.hpp"

#include <doctest/doctest.h>

#include "schemas/expression/function_list.hpp"

using namespace lbann;

TEST_CASE("equal nodes are merged") {
  ExpressionBuilder build;
  auto const a = build.operand(0), b = build.operand(1);
  auto const expression = build.finish({(a + b) * (a + b)});
  CHECK(expression.nodes.size() == 4);
  CHECK(expression.operand_count() == 2);
}

TEST_CASE("constants fold and neutral elements vanish, unless taken verbatim") {
  for (auto algebra : {Algebra::simplify, Algebra::verbatim}) {
    ExpressionBuilder build(algebra);
    auto const x = build.operand(0);
    auto const two = build.constant(1) + build.constant(1);
    auto const text = to_text(build.finish({(x + 0.0) * 1.0, x * two, x * 0.0, -(-x), x / 1.0}));
    if (algebra == Algebra::simplify)
      CHECK(text == "(i0, multiply(i0, 2), 0, i0, i0)");
    else
      CHECK(text ==
            "(multiply(add(i0, 0), 1), multiply(i0, add(1, 1)), multiply(i0, 0), "
            "negative(negative(i0)), divide(i0, 1))");
  }
}

TEST_CASE("zero and minus zero are different constants") {
  ExpressionBuilder build;
  CHECK(build.constant(0.0).node != build.constant(-0.0).node);
}

TEST_CASE("finish keeps what outputs need, depth first") {
  ExpressionBuilder build;
  auto const c = build.operand(2), a = build.operand(0), b = build.operand(1);
  auto const unused = a / c;
  static_cast<void>(unused);
  auto const expression = build.finish({b - a, c});
  REQUIRE(expression.nodes.size() == 4);
  CHECK(expression.nodes[0].arguments[0] == 1);
  CHECK(expression.nodes[1].arguments[0] == 0);
  CHECK(expression.nodes[2].function == Function::subtract);
  CHECK(expression.outputs == std::vector<std::uint32_t>{2, 3});
}

TEST_CASE("a hundred thousand nodes are built in no time") {
  ExpressionBuilder build;
  auto sum = build.operand(0);
  for (int i = 1; i < 50000; ++i) sum = sum + static_cast<double>(i);
  CHECK(build.finish({sum}).nodes.size() == 99999);
}

TEST_CASE("compose puts a producer before a consumer") {
  auto const producer = *parse_expression("(multiply(i0, i1), exp(i0))");
  auto const consumer = *parse_expression("(add(i0, subtract(i1, i2)))");
  CHECK(to_text(compose(producer, 0, consumer, 1, {})) ==
        "(add(i2, subtract(multiply(i0, i1), i3)))");
  CHECK(to_text(compose(producer, 1, consumer, 0, {0, 1})) ==
        "(t0 = exp(i0); add(t0, subtract(i2, i3)), multiply(i0, i1), t0)");
}

TEST_CASE("renumbered merges operands of one number") {
  auto const expression = *parse_expression("(add(exp(i0), exp(i1)))");
  CHECK(to_text(renumbered(expression, {3, 3})) == "(t0 = exp(i3); add(t0, t0))");
  CHECK(used_operands(*parse_expression("(add(i4, i1))")) == std::vector<std::size_t>{1, 4});
}
