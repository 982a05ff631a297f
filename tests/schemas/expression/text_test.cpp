// Text form of expressions.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "schemas/expression/builder.hpp"
#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

using namespace lbann;

TEST_CASE("to_text(Expression) names what is used twice") {
  ExpressionBuilder build;
  auto const x = build.operand(0);
  auto const e = build.apply(Function::exp, {x});
  CHECK(to_text(build.finish({e / (e + 1.0), x})) == "(t0 = exp(i0); divide(t0, add(t0, 1)), i0)");
  CHECK(to_text(Expression{}) == "()");
}

TEST_CASE("to_text(Expression) and parse_expression are inverse") {
  std::mt19937 generator(11);
  for (int repetition = 0; repetition < 300; ++repetition) {
    ExpressionBuilder build(Algebra::verbatim);
    std::vector<Term> terms;
    for (std::size_t i = 0; i < 3; ++i) terms.push_back(build.operand(i));
    terms.push_back(build.constant(std::numeric_limits<double>::infinity()));
    terms.push_back(build.constant(std::ldexp(static_cast<double>(generator()), -40)));
    terms.push_back(build.constant(-0.0));
    auto const pick = [&] { return terms[generator() % terms.size()]; };
    for (int i = 0; i < 12; ++i) {
      auto const function = static_cast<Function>(generator() % function_count());
      std::vector<Term> arguments;
      for (std::size_t a = 0; a < info_of(function).arity; ++a) arguments.push_back(pick());
      terms.push_back(build.apply(function, arguments));
    }
    auto const expression = build.finish({pick(), pick(), terms.back()});
    auto const text = to_text(expression);
    CAPTURE(text);
    auto const parsed = parse_expression(text);
    REQUIRE(parsed.has_value());
    CHECK(*parsed == expression);
    CHECK(to_text(*parsed) == text);
  }
}

TEST_CASE("parse_expression refuses other texts") {
  for (auto text : {"", "(", "i0", "(i0", "(i0,)", "(add(i0))", "(add(i0, i1, i2))",
                    "(nothing(i0))", "(i0) x", "(t0)", "(t0 = i0; t0 = i1; t0)", "(i)", "(ix)",
                    "(1e)", "(t0 = i0)", "(i99999999999)", "(--1)"})
    CHECK_MESSAGE(!parse_expression(text).has_value(), text);
  // Neither depth nor length exhausts anything.
  std::string deep = "(", wide = "(";
  for (int i = 0; i < 100000; ++i) deep += "exp(", wide += "i0, ";
  CHECK_FALSE(parse_expression(deep).has_value());
  CHECK_FALSE(parse_expression(wide + "i0)").has_value());
}
