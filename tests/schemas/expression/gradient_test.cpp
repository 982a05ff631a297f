// Derivatives of expressions: by finite differences, and what they read.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "schemas/expression/builder.hpp"
#include "schemas/functions/function.hpp"

using namespace lbann;

namespace {

std::vector<double> evaluate(Expression const& expression, std::vector<double> const& operands) {
  std::vector<double> values;
  for (auto const& node : expression.nodes) {
    if (node.kind == Node::Kind::operand)
      values.push_back(operands[node.arguments[0]]);
    else if (node.kind == Node::Kind::constant)
      values.push_back(node.constant);
    else {
      std::array<double, 3> arguments{};
      for (std::size_t i = 0; i < info_of(node.function).arity; ++i)
        arguments[i] = values[node.arguments[i]];
      values.push_back(info_of(node.function).value(arguments.data()));
    }
  }
  std::vector<double> outputs;
  for (auto output : expression.outputs) outputs.push_back(values[output]);
  return outputs;
}

double weighted(Expression const& expression, std::vector<double> const& operands,
                std::vector<double> const& weights) {
  double sum = 0;
  auto const outputs = evaluate(expression, operands);
  for (std::size_t o = 0; o < outputs.size(); ++o) sum += outputs[o] * weights[o];
  return sum;
}

}  // namespace

TEST_CASE("gradient_of equals finite differences") {
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> uniform(0.3, 1.7);
  for (auto text :
       {"(add(i0, multiply(i1, i2)))", "(divide(i0, add(i1, exp(i2))))",
        "(t0 = tanh(multiply(i0, i1)); multiply(t0, t0), sigmoid(add(t0, i2)))",
        "(t0 = sqrt(add(square(i0), square(i1))); divide(i2, t0), t0, log(t0))",
        "(pow(i0, i1), maximum(i0, multiply(2, i2)), minimum(i1, i2))",
        "(select(less(i0, i1), multiply(i0, i2), abs(negative(i1))))",
        "(select(less_equal(i0, 1), 1, i0), multiply(i1, select(less(0, i1), 1, 0.25)), i2)"}) {
    auto const expression = parse_expression(text);
    REQUIRE(expression.has_value());
    auto const outputs = expression->outputs.size();
    for (int repetition = 0; repetition < 20; ++repetition) {
      std::vector<double> operands, weights;
      for (int i = 0; i < 3; ++i) operands.push_back(uniform(generator));
      for (std::size_t o = 0; o < outputs; ++o) weights.push_back(uniform(generator));
      auto all = operands;
      for (auto value : evaluate(*expression, operands)) all.push_back(value);
      for (auto weight : weights) all.push_back(weight);
      for (std::size_t k = 0; k < 3; ++k) {
        auto const gradient = gradient_of(*expression, k, std::vector<bool>(outputs, true));
        double const h = 1e-6;
        auto more = operands, less = operands;
        more[k] += h;
        less[k] -= h;
        auto const expected =
            (weighted(*expression, more, weights) - weighted(*expression, less, weights)) / (2 * h);
        auto const found = gradient ? evaluate(*gradient, all)[0] : 0;
        CAPTURE(text);
        CAPTURE(k);
        CHECK(found == doctest::Approx(expected).epsilon(1e-7));
      }
    }
  }
}

TEST_CASE("outputs without gradient count nothing") {
  auto const expression = *parse_expression("(exp(i0), square(i0))");
  CHECK(to_text(*gradient_of(expression, 0, {true, false})) == "(multiply(i3, i1))");
  CHECK_FALSE(gradient_of(expression, 0, {false, false}).has_value());
  CHECK_FALSE(gradient_of(*parse_expression("(less(i0, i1))"), 0, {true}).has_value());
}

TEST_CASE("a gradient reads results rather than computing them again") {
  CHECK(to_text(*gradient_of(*parse_expression("(add(i0, i1))"), 1, {true})) == "(i3)");
  CHECK(to_text(*gradient_of(*parse_expression("(tanh(i0))"), 0, {true})).find("i0") ==
        std::string::npos);
}

TEST_CASE("rectifiers do not read their argument again") {
  CHECK(to_text(*gradient_of(*parse_expression("(select(less_equal(i0, 0), 0, i0))"), 0, {true}))
            .find("i0") == std::string::npos);
  CHECK(to_text(*gradient_of(*parse_expression("(multiply(i0, select(less(0, i0), 1, 0.5)))"), 0,
                             {true}))
            .find("i0") == std::string::npos);
  // With a negative slope the result does not tell the sign.
  CHECK(to_text(*gradient_of(*parse_expression("(multiply(i0, select(less(0, i0), 1, -0.5)))"), 0,
                             {true}))
            .find("i0") != std::string::npos);
}
