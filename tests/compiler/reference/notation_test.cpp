// Expressions as people write them.
#include "compiler/reference/notation.hpp"

#include <doctest/doctest.h>

using namespace lbann;
using namespace lbann::compiler;

namespace {

std::string written(std::string_view expression) {
  auto const parsed = parse_expression(expression);
  REQUIRE(parsed);
  return in_notation(*parsed, "z", {{"x", "y"}, {{0.125, "slope"}}});
}

}  // namespace

TEST_CASE("in_notation() writes operators between their arguments, and no needless parentheses") {
  CHECK(written("(add(multiply(i0, 2), i1))") == "z = x * 2 + y");
  CHECK(written("(multiply(add(i0, 2), i1))") == "z = (x + 2) * y");
  CHECK(written("(subtract(i0, subtract(i1, i0)))") == "z = x - (y - x)");
  CHECK(written("(subtract(subtract(i0, i1), i0))") == "z = x - y - x");
  CHECK(written("(add(i0, add(i1, i0)))") == "z = x + y + x");
  CHECK(written("(multiply(i0, multiply(i1, i0)))") == "z = x * y * x");
  CHECK(written("(divide(i0, multiply(i1, i0)))") == "z = x / (y * x)");
  CHECK(written("(reciprocal(divide(i0, i1)))") == "z = 1 / (x / y)");
  CHECK(written("(negative(add(i0, i1)))") == "z = -(x + y)");
  CHECK(written("(multiply(i0, -2))") == "z = -x * 2");
  CHECK(written("(add(i0, negative(i1)))") == "z = x - y");
  CHECK(written("(subtract(i0, multiply(negative(i1), i0)))") == "z = x + y * x");
  CHECK(written("(negative(multiply(negative(i0), i1)))") == "z = x * y");
  CHECK(written("(multiply(i0, reciprocal(i1)))") == "z = x / y");
  CHECK(written("(divide(i0, divide(i1, i0)))") == "z = x / (y / x)");
  CHECK(written("(square(square(i0)))") == "z = (x^2)^2");
  CHECK(written("(pow(i0, negative(i1)))") == "z = x^(-y)");
  CHECK(written("(maximum(tanh(i0), 0.125))") == "z = max(tanh(x), slope)");
}

TEST_CASE("in_notation() writes conditions as such, and in brackets where they are numbers") {
  CHECK(written("(select(less_equal(i0, 0), 0, i0))") == "z = 0 if x <= 0, else x");
  CHECK(written("(multiply(i0, select(less(0, i0), 1, 0)))") == "z = x * [0 < x]");
  CHECK(written("(multiply(i0, select(less(0, i0), 0, 1)))") == "z = x * [not 0 < x]");
  CHECK(written("(multiply(i0, select(less(0, i0), 1, 0.125)))") ==
        "z = x * (1 if 0 < x, else slope)");
  CHECK(written("(select(i0, 1, select(i1, 2, 3)))") == "z = 1 if x, else 2 if y, else 3");
  CHECK(written("(select(i0, select(i1, 2, 3), 1))") == "z = (2 if y, else 3) if x, else 1");
  CHECK(written("(equal(i0, i1))") == "z = [x = y]");
  CHECK(written("(logical_not(equal(i0, i1)))") == "z = [x != y]");
  CHECK(written("(logical_not(less(i0, i1)))") == "z = [not x < y]");
  CHECK(written("(logical_and(logical_or(i0, i1), less(i0, i1)))") == "z = [(x or y) and x < y]");
}

TEST_CASE("in_notation() gives what is used several times a line of its own") {
  CHECK(written("(t0 = exp(add(i0, multiply(i1, 2))); divide(t0, add(t0, 1)))") ==
        "z = a / (a + 1)\n  a = exp(x + y * 2)");
  CHECK(written("(t0 = exp(i0); divide(t0, add(t0, 1)))") == "z = exp(x) / (exp(x) + 1)");
}
