// Text form of programs, both ways.
#include <doctest/doctest.h>

#include <algorithm>

#include "schemas/expression/builder.hpp"
#include "schemas/program/program.hpp"

using namespace lbann;

namespace {

/// Every operator, field kind, role, and names that need quotes.
Program everything() {
  Program program;
  auto const add = [&](std::string name, TensorType type, TensorRole role) {
    Tensor tensor;
    tensor.name = std::move(name);
    tensor.type = std::move(type);
    tensor.role = role;
    return program.add(std::move(tensor));
  };
  Shape const image{batch_extent, {2, false}, {4, false}};
  auto const x = add("x", {DataType::f32, image}, TensorRole::input);
  auto const g = add("w/gradient", {DataType::f32, Shape{{3, false}}}, TensorRole::gradient);
  auto const w = add("w", {DataType::f32, Shape{{3, false}}}, TensorRole::weights);
  auto const v = add("w/v", {DataType::f64, Shape{{3, false}}}, TensorRole::moment);
  auto const odd = add("a \"b\" \\ {c}: \n,=", {DataType::i64, Shape{}}, TensorRole::statistic);
  auto const y = add("y", {DataType::bf16, Shape{{10, true}}}, TensorRole::activation);
  auto const r = add("r", {DataType::f64, Shape{}}, TensorRole::result);
  program[g].owner = program[v].owner = w;
  program[v].slot = 1;
  program[x].distribution.split = {{"data"}, {}, {"rows", "columns"}};
  program[g].distribution.partial = {"data", "an axis"};
  program[y].origin = {"layer one", "some pass", {}};
  program[r].origin = {"", "pass", {}};

  program.entry_points.push_back({"initialize", {}});
  program.entry_points.push_back({"train", {}});
  auto& lines = program.entry_points[1].instructions;
  operators::map map;
  map.expression = *parse_expression("(t0 = exp(i0); add(t0, multiply(t0, -1.5)), 1e-30, inf)");
  map.shape = image;
  map.compute = DataType::f64;
  map.types = {DataType::f32, DataType::f16, DataType::i32};
  lines.push_back({map, {x}, {y, r, odd}, {"l", "p", {}}});
  operators::reduce reduce;
  reduce.mode = operators::ReduceMode::max;
  reduce.expression = *parse_expression("(i0)");
  reduce.axes = {0, 2};
  lines.push_back({reduce, {x}, {y}, {}});
  operators::matmul matmul;
  matmul.transpose_b = true;
  lines.push_back({matmul, {x, x}, {y}, {"quoted name", "", {}}});
  lines.push_back(
      {operators::convolution{{{1}, {2}, {3}, 4}, map.expression, map.types}, {x}, {y}, {}});
  lines.push_back({operators::convolution_input_gradient{{{1, 2}, {0, 0}, {1, 1}, 1}, {5, 6}},
                   {x, odd},
                   {y},
                   {}});
  lines.push_back({operators::convolution_kernel_gradient{{{}, {}, {}, -1}, {}}, {}, {y}, {}});
  lines.push_back(
      {operators::pooling{{operators::PoolMode::average_no_pad, {2}, {2}, {0}}}, {x}, {y}, {}});
  lines.push_back({operators::pooling_gradient{}, {x}, {y}, {}});
  lines.push_back(
      {operators::batched_matmul{true, false, map.expression, map.types}, {x}, {y}, {}});
  lines.push_back({operators::gru{}, {x}, {y, r}, {}});
  lines.push_back({operators::gru_gradient{}, {x}, {y}, {}});
  lines.push_back({operators::lstm{}, {x}, {y, r}, {}});
  lines.push_back({operators::lstm_gradient{}, {x}, {y}, {}});
  lines.push_back(
      {operators::external{{"lib \"any\".so", "any"}, Shape{{10, true}}, 3, false}, {x}, {y}, {}});
  lines.push_back({operators::external_gradient{{"libany.so", "any"}, 2}, {x}, {y}, {}});
  lines.push_back({operators::softmax{true, 1e-300}, {x}, {y}, {}});
  lines.push_back({operators::softmax_gradient{}, {x}, {y}, {}});
  lines.push_back({operators::softmax_cross_entropy{0.1}, {x}, {y}, {}});
  lines.push_back({operators::softmax_cross_entropy_gradient{}, {x}, {y}, {}});
  lines.push_back({operators::sparse_softmax_cross_entropy{2, 0.1}, {x, w}, {y, r}, {}});
  lines.push_back({operators::sparse_softmax_cross_entropy_gradient{}, {x}, {y}, {}});
  lines.push_back({operators::moments{{0, 2}}, {x}, {y, r, odd}, {}});
  lines.push_back({operators::normalise{2, 0.1, true, false}, {x, w}, {y, r, odd}, {}});
  lines.push_back({operators::normalise_gradient{2, false, true}, {x}, {y}, {}});
  lines.push_back({operators::sample_index{}, {x}, {y}, {}});
  lines.push_back({operators::random{operators::Distribution::bernoulli, 0.1, 1 / 0.9, -77, Shape{},
                                     DataType::f64},
                   {},
                   {y},
                   {}});
  lines.push_back(
      {operators::constant{{0.1, -1e300}, *parse_shape("[2]"), DataType::f64}, {}, {y}, {}});
  lines.push_back({operators::argmax{}, {x}, {y}, {}});
  lines.push_back({operators::rank{}, {x}, {y}, {}});
  lines.push_back({operators::gather{2, 0}, {x, r}, {y}, {}});
  lines.push_back({operators::scatter{image, 3, 2}, {x, r}, {y}, {}});
  lines.push_back({operators::scatter{image, 0, 0, map.expression, map.types}, {x, r}, {y}, {}});
  lines.push_back({operators::sort{true}, {x}, {y, r}, {}});
  lines.push_back({operators::iota{7, DataType::i64}, {}, {y}, {}});
  lines.push_back({operators::cumulative_sum{true}, {x}, {y}, {}});
  lines.push_back({operators::uniform_hash{}, {x}, {y}, {}});
  lines.push_back({operators::permute{{0, 2, 1}}, {x}, {y}, {}});
  lines.push_back({operators::slice{2, {0, 3}}, {x}, {y, r}, {}});
  lines.push_back({operators::concatenate{3}, {x, x, x}, {y}, {}});
  lines.push_back({operators::reshape{Shape{{10, true}, {3, false}}}, {x}, {y}, {}});
  lines.push_back({operators::all_reduce{{"data", "an axis"}}, {x}, {y}, {}});
  lines.push_back({operators::all_gather{{"rows"}}, {x}, {y}, {}});
  lines.push_back({operators::reduce_scatter{{"rows"}, 1}, {x}, {y}, {}});
  lines.push_back({operators::all_to_all{{"rows", "columns"}}, {x}, {y}, {}});
  lines.push_back({operators::attention{{3, 0.5, true}}, {x, x, x}, {y, r}, {}});
  lines.push_back({operators::attention{{3, 0.5, false}}, {x, x, x, x}, {y, r}, {}});
  lines.push_back(
      {operators::attention_gradient{{3, 0.5, true}}, {x, x, x, x, y, r}, {x, x, x}, {}});
  return program;
}

void check_equal(Program const& a, Program const& b) {
  REQUIRE(a.tensors.size() == b.tensors.size());
  for (std::size_t i = 0; i < a.tensors.size(); ++i) {
    auto const &x = a.tensors[i], &y = b.tensors[i];
    CHECK(x.name == y.name);
    CHECK(x.type == y.type);
    CHECK(x.role == y.role);
    CHECK(x.owner == y.owner);
    CHECK(x.slot == y.slot);
    CHECK(x.distribution == y.distribution);
    CHECK(x.origin == y.origin);
  }
  REQUIRE(a.entry_points.size() == b.entry_points.size());
  for (std::size_t e = 0; e < a.entry_points.size(); ++e) {
    auto const &x = a.entry_points[e], &y = b.entry_points[e];
    CHECK(x.name == y.name);
    REQUIRE(x.instructions.size() == y.instructions.size());
    for (std::size_t i = 0; i < x.instructions.size(); ++i) {
      CAPTURE(to_text(a, x.instructions[i]));
      CHECK((x.instructions[i].op == y.instructions[i].op));
      CHECK(x.instructions[i].inputs == y.instructions[i].inputs);
      CHECK(x.instructions[i].outputs == y.instructions[i].outputs);
      CHECK(x.instructions[i].origin == y.instructions[i].origin);
    }
  }
}

}  // namespace

TEST_CASE("to_text(Program) and parse_program are inverse for every operator") {
  auto const program = everything();
  auto const text = to_text(program);
  auto const parsed = parse_program(text);
  REQUIRE_MESSAGE(parsed.good(), (parsed.good() ? "" : parsed.problem().message));
  check_equal(program, parsed.value());
  CHECK(to_text(parsed.value()) == text);
  // One line per tensor, entry point and instruction.
  CHECK(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) ==
        program.tensors.size() + 2 + program.entry_points[1].instructions.size());
  // A new operator must be told here.
  std::vector<bool> seen(std::variant_size_v<Operator>, false);
  for (auto const& instruction : program.entry_points[1].instructions)
    seen[instruction.op.index()] = true;
  CHECK(std::count(seen.begin(), seen.end(), false) == 0);
}

TEST_CASE("parse_program names the line that is wrong") {
  std::string const good =
      "tensor x: input f32 [batch, 4]\ntensor y: activation f32 [batch, 4]\nentry train:\n";
  CHECK(parse_program(good + "  y = softmax(x) {minimum: 0.5}\n").good());
  for (std::string line : {"y = softmax(x",
                           "y = softmax(z)",
                           "z = softmax(x)",
                           "y = softmin(x)",
                           "y softmax(x)",
                           "y = softmax(x) {minimum: a}",
                           "y = softmax(x) {maximum: 1}",
                           "y = softmax(x) {minimum: 1",
                           "y = softmax(x) {logarithm: 1}",
                           "y = softmax(x) extra",
                           "= softmax(x)",
                           "tensor z",
                           "tensor y: input f32 []",
                           "tensor z: inputs f32 []",
                           "tensor z: input f31 []",
                           "tensor z: input f32 [a]",
                           "tensor z: input f32",
                           "tensor z: input f32 [] slot 300",
                           "tensor z: input f32 [] split 3",
                           "entry",
                           "entry :",
                           "y = pooling(x) {mode: some}",
                           "y = reshape(x) {shape: [}",
                           "y = map(x) {expression: (i0}",
                           "nonsense"}) {
    CAPTURE(line);
    auto const parsed = parse_program(good + line + "\n");
    REQUIRE(!parsed.good());
    CHECK(parsed.problem().message.starts_with("line 4: "));
  }
  CHECK_FALSE(parse_program(good + "tensor z: moment f32 [] of nobody\n").good());
  CHECK_FALSE(parse_program("  y = softmax(x)\n").good());
  CHECK(parse_program("").good());
}

TEST_CASE("parse_program survives any damage to a text") {
  auto const text = to_text(everything());
  std::size_t refused = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    for (char c : {' ', '(', '"', '9', '\n', '\0'}) {
      auto damaged = text;
      damaged[i] = c;
      auto const parsed = parse_program(damaged);
      refused += parsed.good() ? 0 : 1;
      if (parsed.good()) static_cast<void>(verify(parsed.value()));
    }
  CHECK(refused > text.size());
}
