// Expressions of learning rates: their values, and what is wrong with others.
#include "compiler/callbacks/rate_expression.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "schemas/expression/builder.hpp"

namespace lbann::callbacks {

namespace {

/// Value in step 7 of epochs of 4 steps, with a first rate of 0.5 and 10 epochs.
double rate_of(std::string_view text) {
  auto const parsed = rate_expression(text, 10);
  if (auto const* problem = std::get_if<std::string>(&parsed)) FAIL(text, ": ", *problem);
  auto const& expression = std::get<Expression>(parsed);
  REQUIRE(verify(expression, rate_operands).value_or("") == "");
  ExpressionBuilder build;
  auto const value =
      build.inlined(expression, {build.constant(7), build.constant(4), build.constant(0.5)});
  return build.finish(value).nodes.back().constant;
}

std::string problem_of(std::string_view text, std::int64_t max_epochs = 10) {
  auto const parsed = rate_expression(text, max_epochs);
  auto const* problem = std::get_if<std::string>(&parsed);
  return problem != nullptr ? *problem : "";
}

}  // namespace

TEST_CASE("values of expressions of rates, as Python has them") {
  CHECK(rate_of("1e-3") == 1e-3);
  CHECK(rate_of(".5") == 0.5);
  CHECK(rate_of("step") == 7);
  CHECK(rate_of("steps_per_epoch") == 4);
  CHECK(rate_of("epoch") == 1.75);
  CHECK(rate_of("max_epochs") == 10);
  CHECK(rate_of("first") == 0.5);
  CHECK(rate_of("pi") == std::numbers::pi);
  CHECK(rate_of("1 + 2 * 3 - 4 / 8") == 6.5);
  CHECK(rate_of("(1 + 2) * 3") == 9);
  CHECK(rate_of("10 - 3 - 2") == 5);
  CHECK(rate_of("8 / 4 / 2") == 1);
  CHECK(rate_of("2 ** 3 ** 2") == 512);
  CHECK(rate_of("-2 ** 2") == -4);
  CHECK(rate_of("2 ** -1") == 0.5);
  CHECK(rate_of("+1 - -1") == 2);
  CHECK(rate_of("7 // 2") == 3);
  CHECK(rate_of("-7 // 2") == -4);
  CHECK(rate_of("-7 % 3") == 2);
  CHECK(rate_of("7.5 % 2") == 1.5);
  CHECK(rate_of("1 if step < 7 else 2 if step == 7 else 3") == 2);
  CHECK(rate_of("1 if step != 7 or not step >= 8 and true else 0") == 1);
  CHECK(rate_of("1 if false or step > 7 else 0") == 0);
  CHECK(rate_of("1 if step <= 6 else 0") == 0);
  CHECK(rate_of("min(3, 2, step)") == 2);
  CHECK(rate_of("max(3)") == 3);
  CHECK(rate_of("first * (1 + cos(pi * step / 14)) / 2") == doctest::Approx(0.25));
  CHECK(rate_of("sqrt(16) + exp(0) + log(1) + floor(epoch) + pow(2, 3)") == 14);
}

TEST_CASE("what is wrong with expressions of rates") {
  CHECK(problem_of("") == "something is missing at the end");
  CHECK(problem_of("1 +") == "something is missing at the end");
  CHECK(problem_of("1 2") == "`2` is out of place");
  CHECK(problem_of("* 2") == "`*` is out of place");
  CHECK(problem_of("1 < 2 < 3") == "`<` is out of place");
  CHECK(problem_of("(1 + 2") == "a `)` is missing");
  CHECK(problem_of("exp(1") == "a `)` is missing");
  CHECK(problem_of("1 if step") == "`else` is missing");
  CHECK(problem_of("1 + if") == "`if` is out of place");
  CHECK(problem_of("3px") == "`3p` is not a number");
  CHECK(problem_of("1.2.3") == "`1.2.` is not a number");
  CHECK(problem_of("1e999") == "`1e999` is not a number");
  CHECK(problem_of("sin(1, 2)") == "function `sin` takes 1 number, not 2");
  CHECK(problem_of("pow(1)") == "function `pow` takes 2 numbers, not 1");
  CHECK(problem_of("lambda(1)") == "there is no function `lambda`");
  CHECK(problem_of("epochs") ==
        "there is no `epochs` among `step`, `epoch`, `steps_per_epoch`, `max_epochs`, `first`, "
        "`pi`");
  CHECK(problem_of("max_epochs", 0) == "`max_epochs` is asked for, but training has none");
  CHECK(problem_of(std::string(2000, '(')) == "too many nested parentheses");
  CHECK(problem_of(std::string(2000, '-') + "1") == "too many nested parentheses");
  std::string long_sum = "step";
  for (int i = 1; i < 2000; ++i) long_sum += " + step * " + std::to_string(i);
  CHECK(problem_of(long_sum) == "there are too many operations");
}

}  // namespace lbann::callbacks
