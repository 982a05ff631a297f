// Tests of layers that work entry by entry.
#include <doctest/doctest.h>

#include "tests/compiler/layers/layer_case.hpp"

namespace lbann::compiler {
namespace {

/// The expression of a layer that is one map.
std::string expression_of(std::string_view declaration, std::size_t inputs) {
  auto const result = run_layer(declaration, std::vector<Dims>(inputs, Dims{2, 3}));
  CHECK(result.codes.empty());
  CHECK(result.messages.empty());
  CHECK(result.outputs == std::vector<Dims>{{2, 3}});
  CHECK(result.train.find("shape: [batch, 2, 3], types: [f32]") != std::string::npos);
  CHECK(std::count(result.train.begin(), result.train.end(), '\n') == 1);
  auto const begin = result.train.find("expression: ") + 12;
  return result.train.substr(begin, result.train.find(", shape") - begin);
}

}  // namespace

TEST_CASE("layers of one operand") {
  CHECK(expression_of("relu", 1) == "(select(less_equal(i0, 0), 0, i0))");
  CHECK(expression_of("leaky_relu {negative_slope: 0.25}", 1) ==
        "(multiply(i0, select(less(0, i0), 1, 0.25)))");
  CHECK(expression_of("sigmoid", 1) == "(sigmoid(i0))");
  CHECK(expression_of("tanh", 1) == "(tanh(i0))");
  CHECK(expression_of("square", 1) == "(square(i0))");
  CHECK(expression_of("exp", 1) == "(exp(i0))");
  CHECK(expression_of("log", 1) == "(log(i0))");
  CHECK(expression_of("scale {constant: -2}", 1) == "(multiply(i0, -2))");
}

TEST_CASE("layers of two operands") {
  CHECK(expression_of("add", 2) == "(add(i0, i1))");
  CHECK(expression_of("subtract", 2) == "(subtract(i0, i1))");
  CHECK(expression_of("multiply", 2) == "(multiply(i0, i1))");
  CHECK(expression_of("sum", 3) == "(add(add(i0, i1), i2))");
  for (auto const* type : {"add", "subtract", "multiply", "sum"}) {
    auto const clash = run_layer(type, {{2, 3}, {6}});
    CHECK(clash.codes == std::vector<std::string>{"unequal-inputs"});
    CHECK(clash.messages[0] ==
          "the inputs of `l` must have equal dims: input 0 has [2, 3], input 1 has [6]");
  }
}

TEST_CASE("a sum of many") {
  auto const many = run_layer("sum", std::vector<Dims>(40, Dims{3}));
  CHECK(many.messages.empty());
  CHECK(std::count(many.train.begin(), many.train.end(), '\n') == 3);
}

TEST_CASE("dropout") {
  auto const dropout = run_layer("dropout {keep_prob: 0.25}", {{7}});
  CHECK(dropout.train.starts_with(
      "l/random = random(seed, step, first_sample) {distribution: bernoulli, first: 0.25, "
      "second: 4, key: "));
  CHECK(dropout.train.ends_with(
      "l.0 = map(x0, l/random) {expression: (multiply(i0, i1)), shape: [batch, 7], types: "
      "[f32]}\n"));
  CHECK(dropout.evaluate == "");
  CHECK(run_layer("dropout {keep_prob: 1}", {{7}}).train == "");
}

}  // namespace lbann::compiler
