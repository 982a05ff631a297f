// What makes programs unsound: each fault is found, and named.
#include <doctest/doctest.h>

#include "schemas/program/program.hpp"

using namespace lbann;

namespace {

std::string const tensors =
    "tensor x: input f32 [batch, 4]\n"
    "tensor w: weights f32 [3, 4]\n"
    "tensor v: moment f32 [3, 4] of w\n"
    "tensor g: gradient f32 [3, 4] of w\n"
    "tensor s: statistic f64 []\n"
    "tensor y: activation f32 [batch, 3]\n"
    "tensor z: activation f32 [batch, 3]\n"
    "tensor r: result f64 []\n";
std::string const product = "  y = matmul(x, w) {transpose_b: true}\n";
std::string const sum =
    "  r = reduce(y) {expression: (i0), shape: [batch, 3], axes: [0, 1], type: f64}\n";
std::string const count = "  s = map(s) {expression: (add(i0, 1)), compute: f64, types: [f64]}\n";
std::string const decay =
    "  w = map(w) {expression: (multiply(i0, 0.5)), shape: [3, 4], types: [f32]}\n";

/// The fault of a program, empty if it is sound.
std::string fault_of(std::string const& text) {
  auto const parsed = parse_program(text);
  REQUIRE_MESSAGE(parsed.good(), (parsed.good() ? "" : parsed.problem().message));
  return verify(parsed.value()).value_or("");
}

bool mentions(std::string const& fault, std::string const& words) {
  return fault.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("a sound program has no fault") {
  CHECK(fault_of(tensors + "entry train:\n" + product + sum + decay + count + "entry evaluate:\n" +
                 product + sum + "entry initialize:\n" + decay) == "");
}

TEST_CASE("faults of tensors") {
  auto const with = [](std::string const& line) { return fault_of(tensors + line); };
  CHECK(mentions(with("tensor a: weights f32 [batch, 2]\n"), "mini-batch"));
  CHECK(mentions(with("tensor a: moment f32 [2]\n"), "belongs to no weights"));
  CHECK(mentions(with("tensor a: moment f32 [2] of w\n"), "is not of the type of w"));
  CHECK(mentions(with("tensor a: moment f64 [3] of w\n"), "is not of the type of w"));
  CHECK(mentions(with("tensor a: gradient f32 [batch, 4] of x\n"), "does not belong to weights"));
  CHECK(mentions(with("tensor a: activation f32 [3, 4] of w\n"), "must not belong"));
  CHECK(mentions(with("tensor a: activation f32 [batch, batch]\n"), "no tensor has shape"));
  CHECK(mentions(with("tensor a: activation f32 [-1]\n"), "no tensor has shape"));
  CHECK(mentions(with("tensor a: activation f32 [1099511627776, 1099511627776]\n"),
                 "no tensor has shape"));
  CHECK(mentions(with("tensor a: activation f32 [1,1,1,1,1,1,1,1,1]\n"), "no tensor has shape"));
  CHECK(mentions(with("tensor a: activation f32 [4] split [[data], []]\n"), "distribution"));

  auto program = std::move(parse_program(tensors)).value();
  auto broken = program;
  broken.tensors[1].name = "x";
  CHECK(mentions(verify(broken).value_or(""), "second one"));
  broken = program;
  broken.tensors[1].name = "";
  CHECK(verify(broken).has_value());
  broken = program;
  broken.tensors[1].role = static_cast<TensorRole>(77);
  CHECK(mentions(verify(broken).value_or(""), "no known role"));
  broken = program;
  broken.tensors[1].type.type = static_cast<DataType>(77);
  CHECK(mentions(verify(broken).value_or(""), "no known type"));
  broken = program;
  broken.tensors[2].owner = TensorId(999);
  CHECK(verify(broken).has_value());
}

TEST_CASE("faults of instructions") {
  auto const with = [](std::string const& lines) {
    return fault_of(tensors + "entry train:\n" + lines);
  };
  CHECK(mentions(with(sum), "y is read before it is written"));
  CHECK(mentions(with(product + product), "y is written a second time"));
  CHECK(mentions(with("  y = matmul(x, w)\n"), "inner extents"));
  CHECK(mentions(with("  z = softmax(x)\n"), "but f32 [batch, 4] is written"));
  CHECK(mentions(with("  x = softmax(x)\n"), "x is an input"));
  CHECK(mentions(with("  y, z = matmul(x, w) {transpose_b: true}\n"), "gives 1 outputs"));
  CHECK(mentions(with("  w, w = map(w) {expression: (i0, exp(i0)), shape: [3, 4], types: [f32, "
                      "f32]}\n"),
                 "written twice"));
  CHECK(mentions(with(product + "  g = matmul(y, x) {transpose_a: true}\n" +
                      "  g = matmul(y, x) {transpose_a: true}\n"),
                 "g is written a second time"));
  // In place is allowed.
  CHECK(with(product + "  y = map(y) {expression: (exp(i0)), shape: [batch, 3], types: [f32]}\n") ==
        "");

  auto program = std::move(parse_program(tensors + "entry train:\n" + product)).value();
  program.entry_points[0].instructions[0].inputs[0] = TensorId(99);
  CHECK(mentions(verify(program).value_or(""), "not in the table"));
  program.entry_points[0].instructions[0].inputs[0] = TensorId();
  CHECK(mentions(verify(program).value_or(""), "not in the table"));
}

TEST_CASE("faults of entry points") {
  CHECK(mentions(fault_of(tensors + "entry evaluate:\n" + decay), "state w is written here"));
  CHECK(fault_of(tensors + "entry evaluate:\n" + count) == "");
  CHECK(mentions(fault_of(tensors + "entry gradients:\n" + count), "state s is written here"));
  CHECK(mentions(fault_of(tensors + "entry train:\n" + count + "entry evaluate:\n" + count),
                 "changed by train and by evaluate"));
  CHECK(mentions(fault_of(tensors + "entry train:\nentry train:\n"), "second entry point"));
  // Every entry point writes for itself.
  CHECK(mentions(fault_of(tensors + "entry train:\n" + product + "entry evaluate:\n" + sum),
                 "y is read before it is written"));
}
