// Tests of layers that work entry by entry.
#include <doctest/doctest.h>

#include "compiler/lowering/lowering_passes.hpp"
#include "compiler/passes/graph_passes.hpp"
#include "compiler/passes/program_passes.hpp"
#include "tests/compiler/layers/layer_case.hpp"
#include "tests/support/graph_fixture.hpp"

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
  CHECK(expression_of("clamp {min: -1, max: 2}", 1) ==
        "(select(less_equal(i0, -1), -1, select(less_equal(2, i0), 2, i0)))");
  CHECK(expression_of("stop_gradient", 1) == "(stop_gradient(i0))");
  // Nothing of the input is left to be read.
  CHECK(expression_of("scale {constant: 0}", 1) == "(0)");
}

TEST_CASE("layers of two operands") {
  CHECK(expression_of("add", 2) == "(add(i0, i1))");
  CHECK(expression_of("subtract", 2) == "(subtract(i0, i1))");
  CHECK(expression_of("multiply", 2) == "(multiply(i0, i1))");
  CHECK(expression_of("hadamard", 3) == "(multiply(multiply(i0, i1), i2))");
  CHECK(expression_of("weighted_sum {scaling_factors: [2, 1, 0]}", 3) ==
        "(add(multiply(i0, 2), i1))");
  CHECK(expression_of("sum", 3) == "(add(add(i0, i1), i2))");
  for (auto const* type :
       {"add", "subtract", "multiply", "sum", "hadamard", "weighted_sum {scaling_factors: [1, 2]}",
        "select {value: 1, constant_if_true: true}"}) {
    auto const clash = run_layer(type, {{2, 3}, {6}});
    CHECK(clash.codes == std::vector<std::string>{"unequal-inputs"});
    CHECK(clash.messages[0] ==
          "the inputs of `l` must have equal dims: input 0 has [2, 3], input 1 has [6]");
  }
}

TEST_CASE("sums and products of many") {
  for (auto const* type : {"sum", "hadamard"}) {
    auto const many = run_layer(type, std::vector<Dims>(40, Dims{3}));
    CHECK(many.messages.empty());
    CHECK(std::count(many.train.begin(), many.train.end(), '\n') == 3);
  }
  CHECK(run_layer("sum", {{3}}).train == "");
  CHECK(expression_of("weighted_sum {scaling_factors: [3]}", 1) == "(multiply(i0, 3))");
  auto const clash = run_layer("weighted_sum {scaling_factors: [1, 2]}", {{3}});
  CHECK(clash.messages ==
        std::vector<std::string>{"`scaling_factors` has 2 values, but `l` has 1 parents"});
}

TEST_CASE("select of three, two or one") {
  CHECK(expression_of("select {value: 2, epsilon: 0.5}", 3) ==
        "(select(less(abs(subtract(i0, 2)), 0.5), i1, i2))");
  CHECK(expression_of("select {value: 2, epsilon: 0.5, constant_if_true: true}", 2) ==
        "(select(less(abs(subtract(i0, 2)), 0.5), 0, i1))");
  CHECK(expression_of("select {value: 2, epsilon: 0.5, constant_if_false: true, value_if_false: 3}",
                      2) == "(select(less(abs(subtract(i0, 2)), 0.5), i1, 3))");
  auto const few = run_layer("select {value: 2}", {{3}, {3}});
  CHECK(few.messages == std::vector<std::string>{"`l` takes 3 parents with these fields, not 2"});
  auto const many =
      run_layer("select {value: 2, constant_if_true: true, constant_if_false: true}", {{3}, {3}});
  CHECK(many.messages == std::vector<std::string>{"`l` takes 1 parent with these fields, not 2"});
}

TEST_CASE("clamp has its bounds in order") {
  auto const crossed = run_layer("clamp {min: 2.5, max: 1}", {{3}});
  CHECK(crossed.messages == std::vector<std::string>{"`min` 2.5 of `l` is above `max` 1"});
}

TEST_CASE("constant") {
  auto const constant = run_layer("constant {value: 2.5, num_neurons: [2, 3]}", {});
  CHECK(constant.train == "l.0 = map() {expression: (2.5), shape: [batch, 2, 3], types: [f32]}\n");
  CHECK(run_layer("constant {num_neurons: [1099511627776, 1099511627776]}", {}).codes ==
        std::vector<std::string>{"number-too-large"});
  CHECK(run_layer("constant", {}).codes == std::vector<std::string>{"missing-field"});
}

TEST_CASE("identity_zero is nothing, or zeros where frozen") {
  CHECK(run_layer("identity_zero", {{3}}).train == "");
  CHECK(run_layer("identity_zero freeze", {{3}}).train ==
        "l.0 = map() {expression: (0), shape: [batch, 3], types: [f32]}\n");
}

TEST_CASE("dropout") {
  auto const dropout = run_layer("dropout {keep_prob: 0.25}", {{7}});
  CHECK(dropout.train.starts_with(
      "l/random = random(seed, step, first_sample) {distribution: bernoulli, first: 0.25, "
      "key: "));
  CHECK(dropout.train.ends_with(
      "l.0 = map(x0, l/random) {expression: (multiply(i0, multiply(i1, 4))), shape: [batch, 7], "
      "types: [f32]}\n"));
  CHECK(dropout.evaluate == "");
  for (auto const* all : {"dropout {keep_prob: 1}", "dropout {keep_prob: -0.5}"})
    CHECK(run_layer(all, {{7}}).train == "");
}

TEST_CASE("chains of such layers become one map, forward and backward") {
  GraphFixture fixture(R"(
layer x: input {data_field: "x"} -> ip
layer ip: fully_connected {num_neurons: 3} (x) -> a
layer a: add_constant {constant: 1} (ip) -> b
layer b: softplus (a) -> c
layer c: clamp {min: 0.5, max: 4} (b) -> d
layer d: reciprocal (c) -> e
layer e: softsign (d) -> loss
layer loss: reshape {dims: [3, 1]} (e) -> norm
layer norm: l2_norm2 (loss) -> norm_eval
layer norm_eval: evaluation (norm)
term norm_eval scale 1
)");
  give_field(fixture.experiment, "x", {4});
  fixture.experiment.optimizer = optimizer_from(fixture.optimizer_types, "sgd {learn_rate: 0.1}");
  infer_shapes(fixture.compilation);
  resolve_weights(fixture.compilation);
  REQUIRE(fixture.codes().empty());
  lower_to_operators(fixture.compilation);
  auto& program = fixture.compilation.program;
  derive_backward(program);
  fuse_maps(program);
  REQUIRE(verify(program) == std::nullopt);
  // The chain is the epilogue of the product, and what comes back through it is one map.
  std::size_t products = 0, maps = 0;
  for (auto const& instruction : program.entry_point("train")->instructions) {
    if (std::holds_alternative<operators::matmul>(instruction.op)) ++products;
    auto const made_by = instruction.origin.name;
    if (std::holds_alternative<operators::map>(instruction.op) && made_by.size() == 1) ++maps;
  }
  INFO(fixture.instructions("train"));
  CHECK(products == 2);
  CHECK(maps == 1);
}

}  // namespace lbann::compiler
