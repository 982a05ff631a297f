// Tests of programs whose layers and weights have types of their own.
#include <doctest/doctest.h>

#include <algorithm>

#include "compiler/lowering/lowering_passes.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/graph_fixture.hpp"

namespace lbann::compiler {

using testing::contains;

namespace {

/// A float layer between two of double; its matrix `w` is kept in double, `v` of a double layer in
/// float.
constexpr auto layers_of_two_types = R"(
layer x: input {data_field: "samples"} -> first
layer first: relu (x) -> f datatype f64
layer f: fully_connected {num_neurons: 3} (first) -> g given w
layer g: fully_connected {num_neurons: 2, has_bias: false} (f) -> loss given v datatype f64
layer loss: l2_norm2 (g) datatype f64
weights w: [] datatype f64
weights v: []
objective loss scale 1
l2 scale 0.5 given w
)";

/// Products of 16 bits between layers of float; weights `w` are used twice.
constexpr auto layers_of_sixteen_bits = R"(
layer x: input {data_field: "samples"} -> f
layer f: fully_connected {num_neurons: 4} (x) -> act given w datatype bf16
layer act: relu (f) -> g datatype bf16
layer g: fully_connected {num_neurons: 4, has_bias: false} (act) -> loss given w datatype bf16
layer loss: l2_norm2 (g)
weights w: []
objective loss scale 1
)";

struct Mixed : GraphFixture {
  explicit Mixed(std::string_view text, std::string_view last = {},
                 std::optional<DataType> samples = {})
      : GraphFixture(text) {
    give_field(experiment, "samples", {4});
    experiment.sample_type = samples;
    experiment.mini_batch_size = 8;
    experiment.optimizer = optimizer_from(optimizer_types, "sgd {learn_rate: 0.1, momentum: 0.9}");
    auto const done = run_passes(compilation, last);
    REQUIRE_MESSAGE(done.good(), (done.good() ? "" : done.problem().message));
    REQUIRE(codes().empty());
  }

  DataType type_of(std::string_view name) const {
    auto const& tensors = compilation.program.tensors;
    auto const found = std::ranges::find(tensors, name, &Tensor::name);
    REQUIRE_MESSAGE(found != tensors.end(), name);
    return found->type.type;
  }
};

std::size_t count(std::string const& text, std::string_view word) {
  std::size_t number = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++number;
  return number;
}

}  // namespace

TEST_CASE("where types meet, what is read is converted") {
  Mixed const mixed(layers_of_two_types, "lower_to_operators");
  CHECK(mixed.instructions("train").starts_with(
      "first/map = map(samples) {expression: (i0), shape: [batch, 4], types: [f64]}\n"
      "first.0 = map(first/map) {expression: (select(less_equal(i0, 0), 0, i0)), shape: [batch, "
      "4], "
      "compute: f64, types: [f64]}\n"
      "f/map = map(first.0) {expression: (i0), shape: [batch, 4], compute: f64, types: [f32]}\n"
      "f/map_2 = map(w) {expression: (i0), shape: [3, 4], compute: f64, types: [f32]}\n"
      "f/matmul = matmul(f/map, f/map_2) {transpose_b: true}\n"
      "f.0 = map(f/matmul, f_bias_weights) {expression: (add(i0, i1)), shape: [batch, 3], types: "
      "[f32]}\n"
      "g/map = map(f.0) {expression: (i0), shape: [batch, 3], types: [f64]}\n"
      "g/map_2 = map(v) {expression: (i0), shape: [2, 3], types: [f64]}\n"
      "g.0 = matmul(g/map, g/map_2) {transpose_b: true}\n"));
  for (auto const* name : {"w", "w/gradient", "w/velocity", "g.0", "loss.0"})
    CHECK(mixed.type_of(name) == DataType::f64);
  for (auto const* name : {"samples", "v", "v/gradient", "v/velocity", "f_bias_weights", "f.0"})
    CHECK(mixed.type_of(name) == DataType::f32);
}

TEST_CASE("layers of 16 bits store what they give and multiply so, and compute in f32") {
  Mixed const mixed(layers_of_sixteen_bits, "lower_to_operators");
  CHECK(mixed.instructions("train").starts_with(
      "f/map = map(samples) {expression: (i0), shape: [batch, 4], types: [bf16]}\n"
      "f/map_2 = map(w) {expression: (i0), shape: [4, 4], types: [bf16]}\n"
      "f/matmul = matmul(f/map, f/map_2) {transpose_b: true}\n"
      "f.0 = map(f/matmul, f_bias_weights) {expression: (add(i0, i1)), shape: [batch, 4], types: "
      "[bf16]}\n"
      "act.0 = map(f.0) {expression: (select(less_equal(i0, 0), 0, i0)), shape: [batch, 4], types: "
      "[bf16]}\n"
      "g/matmul = matmul(act.0, f/map_2) {transpose_b: true}\n"
      "g.0 = map(g/matmul) {expression: (i0), shape: [batch, 4], types: [bf16]}\n"
      "loss/map = map(g.0) {expression: (i0), shape: [batch, 4], types: [f32]}\n"));
  CHECK(mixed.type_of("f/matmul") == DataType::f32);
  for (auto const* name : {"w", "w/gradient", "w/velocity", "f_bias_weights", "loss.0"})
    CHECK(mixed.type_of(name) == DataType::f32);
}

TEST_CASE("errors are stored in 16 bits where values are, gradients of weights added up in f32") {
  Mixed const mixed(layers_of_sixteen_bits, "derive_backward");
  auto const train = mixed.instructions("train");
  CHECK(train.ends_with(
      "loss/backward.5 = map(loss/backward.4) {expression: (i0), shape: [batch, 4], types: "
      "[bf16]}\n"
      // Read by nobody: what would be narrowed again is taken as it was.
      "g/backward.6 = map(loss/backward.5) {expression: (i0), shape: [batch, 4], types: [f32]}\n"
      "g/backward.7 = matmul(loss/backward.5, f/map_2)\n"
      "g/backward.8 = matmul(loss/backward.5, act.0) {transpose_a: true}\n"
      "act/backward.9 = map(g/backward.7) {expression: (i0), shape: [batch, 4], types: [bf16]}\n"
      "act/backward.10 = map(act.0, act/backward.9) {expression: (multiply(i1, "
      "select(less_equal(i0, 0), 0, 1))), shape: [batch, 4], types: [bf16]}\n"
      "f/backward.11 = map(act/backward.10) {expression: (i0), shape: [batch, 4], types: [f32]}\n"
      "f_bias_weights/gradient = reduce(act/backward.10) {expression: (i0), shape: [batch, 4], "
      "axes: [0]}\n"
      "f/backward.13 = matmul(act/backward.10, f/map) {transpose_a: true}\n"
      "w/gradient = map(g/backward.8, f/backward.13) {expression: (add(i0, i1)), shape: [4, 4], "
      "types: [f32]}\n"));
}

TEST_CASE("gradients come in the type of their weights, and are summed over ranks in it") {
  Mixed const mixed(layers_of_two_types);
  auto const train = mixed.instructions("train");
  CHECK(contains(train,
                 "v/gradient = map(g/backward.8) {expression: (i0), shape: [2, 3], types: [f32]}\n"
                 "v/gradient = all_reduce(v/gradient) {mesh_axes: [data]}\n"));
  CHECK(
      contains(train,
               "f/backward.13 = map(f/backward.12) {expression: (i0), shape: [3, 4], compute: f64, "
               "types: [f64]}\n"
               "f/backward.13/sum = all_reduce(f/backward.13) {mesh_axes: [data]}\n"));
  // The regularization is of `w` as it is kept, and so is its part of the gradient.
  CHECK(contains(train,
                 "reduce(w) {expression: (square(i0)), shape: [3, 4], axes: [0, 1], compute: "
                 "f64, type: f64}"));
  CHECK(contains(train, "w, w/velocity = map(w, objective/backward.2, f/backward.13/sum, "));
}

TEST_CASE("a conversion is part of the instruction that makes what is converted") {
  Mixed const mixed(layers_of_two_types);
  auto const train = mixed.instructions("train");
  CHECK(contains(train,
                 "f/map = map(first/map) {expression: (select(less_equal(i0, 0), 0, i0)), "
                 "shape: [batch, 4], compute: f64, types: [f32]}\n"));
  CHECK(contains(train,
                 "g/map = matmul(f/map, f/map_2, f_bias_weights) {transpose_b: true, "
                 "epilogue: (add(i0, i1)), types: [f64]}\n"));
}

TEST_CASE("a tensor is converted once, whoever reads it") {
  Mixed const mixed(R"(
layer x: input {data_field: "samples"} -> a, b, c
layer a: relu (x) -> sum datatype f64
layer b: tanh (x) -> sum datatype f64
layer c: square (x) -> sum
layer sum: sum (a, b, c) datatype f64
)",
                    "lower_to_operators");
  auto const train = mixed.instructions("train");
  CHECK(count(train, "expression: (i0)") == 2);  // x for a and b, c.0 for the sum
  CHECK(contains(train, "a.0 = map(a/map)"));
  CHECK(contains(train, "b.0 = map(a/map)"));
}

TEST_CASE("samples may be given in another type than the model's") {
  Mixed const mixed("layer x: input {data_field: \"samples\"}\n", "lower_to_operators",
                    DataType::f64);
  CHECK(mixed.type_of("samples") == DataType::f64);
  auto const output = mixed.compilation.state.outputs.at(0).at(0);
  CHECK(mixed.compilation.program[output].name == "x.0");
  CHECK(mixed.compilation.program[output].type.type == DataType::f32);
}

TEST_CASE("samples are given in the widest type of the input layers that take them") {
  std::string_view const text =
      "layer x: input {data_field: \"samples\"}\n"
      "layer y: input {data_field: \"samples\"} datatype f64\n";
  CHECK(Mixed(text, "lower_to_operators").type_of("samples") == DataType::f64);
  CHECK(Mixed(text, "lower_to_operators", DataType::f32).type_of("samples") == DataType::f32);
}

TEST_CASE("running statistics are moved in their own type") {
  Mixed const mixed(R"(
layer x: input {data_field: "samples"} -> norm
layer norm: batch_normalization (x) given s, b, m
weights s: []
weights b: []
weights m: [] datatype f64
)",
                    "update_weights");
  auto const train = mixed.instructions("train");
  auto const at = train.find("\nm = map(");
  REQUIRE(at != std::string::npos);
  auto const line = train.substr(at + 1, train.find('\n', at + 1) - at - 1);
  CHECK(contains(line, "m = map(m, "));
  CHECK(contains(line, "types: [f64]"));
}

}  // namespace lbann::compiler
