// Registers of the bytecode: never shared by two live values.
#include "schemas/expression/registers.hpp"

#include <doctest/doctest.h>

#include <random>

#include "schemas/expression/builder.hpp"
#include "schemas/functions/function.hpp"

using namespace lbann;

TEST_CASE("allocate_registers counts") {
  CHECK(allocate_registers(*parse_expression("(i0)")).count == 1);
  CHECK(allocate_registers(*parse_expression("(exp(exp(exp(i0))))")).count == 1);
  CHECK(allocate_registers(*parse_expression("(add(add(i0, i1), i2))")).count == 2);
  CHECK(allocate_registers(*parse_expression("(add(i0, add(i1, i2)))")).count == 3);
  // Outputs are held to the end.
  CHECK(allocate_registers(*parse_expression("(exp(i0), exp(i1), exp(i2))")).count == 3);
}

TEST_CASE("allocate_registers never gives a live value away") {
  std::mt19937 generator(5);
  for (int repetition = 0; repetition < 200; ++repetition) {
    ExpressionBuilder build(Algebra::verbatim);
    std::vector<Term> terms = {build.operand(0), build.operand(1), build.constant(3)};
    for (int i = 0; i < 30; ++i) {
      auto const function = static_cast<Function>(generator() % function_count());
      std::vector<Term> arguments;
      for (std::size_t a = 0; a < info_of(function).arity; ++a)
        arguments.push_back(terms[generator() % terms.size()]);
      terms.push_back(build.apply(function, arguments));
    }
    auto const expression = build.finish({terms.back(), terms[10]});
    auto const allocation = allocate_registers(expression);
    REQUIRE(allocation.register_of.size() == expression.nodes.size());
    // Run it: each register remembers the node it holds.
    std::vector<std::size_t> holds(allocation.count, 999);
    for (std::size_t n = 0; n < expression.nodes.size(); ++n) {
      auto const& node = expression.nodes[n];
      if (node.kind == Node::Kind::function)
        for (std::size_t i = 0; i < info_of(node.function).arity; ++i)
          CHECK(holds[allocation.register_of[node.arguments[i]]] == node.arguments[i]);
      holds[allocation.register_of[n]] = n;
    }
    for (auto output : expression.outputs) CHECK(holds[allocation.register_of[output]] == output);
  }
}
