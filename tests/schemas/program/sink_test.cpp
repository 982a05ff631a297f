// Outputs that are computed where they are read: which, and which must not be.
#include <doctest/doctest.h>

#include "schemas/program/fuse.hpp"
#include "tests/schemas/program/program_lines.hpp"

using namespace lbann;

namespace {

std::string after_sinking(std::string const& tensors, std::string const& lines) {
  return tests::changed_lines(
      tensors, lines, [](Program& program) { sink_outputs(program, program.entry_points[0]); });
}

std::string tensors_of(std::string const& type_of_dx, std::string const& type_of_dz) {
  return "tensor dy: input f32 [batch, 3]\ntensor y: input f32 [batch, 3]\n"
         "tensor s: statistic f32 [3]\ntensor dx: activation " +
         type_of_dx + " [batch, 3]\ntensor dz: activation " + type_of_dz +
         " [batch, 3]\ntensor sum: activation f64 [3]\ntensor more: result f32 [batch, 3]\n"
         "tensor out: result f32 [batch, 3]\n";
}

std::string map_line(std::string const& outputs, std::string const& inputs,
                     std::string const& expression, std::string const& types) {
  return outputs + " = map(" + inputs + ") {expression: " + expression +
         ", shape: [batch, 3], types: [" + types + "]}\n";
}

std::string const mask = "(t0 = multiply(i0, select(less_equal(i1, 0), 0, 1)); t0, ";
std::string const made_line =
    map_line("dx, dz", "dy, y, s", mask + "multiply(t0, i2))", "f32, f32");
std::string const sum_line =
    "sum = reduce(dx) {expression: (i0), shape: [batch, 3], axes: [0], type: f64}\n";
std::string const read_line = map_line("out", "dz, sum", "(add(i0, i1))", "f32");

}  // namespace

TEST_CASE("an output made of another is computed where it is read") {
  CHECK(after_sinking(tensors_of("f32", "f32"), made_line + sum_line + read_line) ==
        map_line("dx", "dy, y", "(multiply(i0, select(less_equal(i1, 0), 0, 1)))", "f32") +
            sum_line + map_line("out", "s, dx, sum", "(add(multiply(i1, i0), i2))", "f32"));
}

TEST_CASE("in a sum, too, and rounded as it was stored") {
  auto const maps = map_line("dx, dz", "dy, y, s", mask + "multiply(t0, i2))", "f32, bf16");
  std::string const reader =
      "sum = reduce(dz) {expression: (square(i0)), shape: [batch, 3], axes: [0], type: f64}\n";
  // What is read is larger than what was stored.
  CHECK(after_sinking(tensors_of("f32", "bf16"), maps + reader + "more = softmax(dx)\n") ==
        maps + reader + "more = softmax(dx)\n");
  // It holds what was computed only if that was rounded before.
  auto const narrow = tensors_of("bf16", "bf16") + "tensor wide: result f32 [batch, 3]\n";
  auto const widened = map_line("wide", "dx", "(i0)", "f32");
  auto const unrounded = map_line("dx, dz", "dy, y, s", mask + "multiply(t0, i2))", "bf16, bf16");
  CHECK(after_sinking(narrow, unrounded + reader + widened) == unrounded + reader + widened);
  CHECK(after_sinking(narrow, map_line("dx, dz", "dy, s",
                                       "(t0 = bfloat16(i0); t0, multiply(t0, i1))", "bf16, bf16") +
                                  reader + widened) ==
        map_line("dx", "dy", "(bfloat16(i0))", "bf16") +
            "sum = reduce(s, dx) {expression: (square(bfloat16(multiply(i1, i0)))), shape: "
            "[batch, 3], axes: [0], type: f64}\n" +
            widened);
}

TEST_CASE("what would read more, compute more or read something else stays") {
  auto const stays = [](std::string const& lines) {
    CHECK(after_sinking(tensors_of("f32", "f32"), lines) == lines);
  };
  // Another tensor of this size.
  stays(map_line("dx, dz", "dy, y", mask + "multiply(t0, i1))", "f32, f32") + sum_line + read_line);
  // What the other output is not made of, or is made of as well.
  stays(map_line("dx, dz", "dy, y, s", "(multiply(i0, i1), multiply(i0, i2))", "f32, f32") +
        sum_line + read_line);
  stays(map_line("dx, dz, more", "dy, y, s",
                 "(t0 = multiply(i0, select(less_equal(i1, 0), 0, 1)); t1 = exp(t0); t0, "
                 "multiply(t1, i2), add(t1, 1))",
                 "f32, f32, f32") +
        sum_line + read_line);
  // Two readers.
  stays(made_line + sum_line + read_line + "more = softmax(dz)\n");
  // A result.
  stays(map_line("dx, out", "dy, y, s", mask + "multiply(t0, i2))", "f32, f32") + sum_line +
        map_line("more", "out, sum", "(add(i0, i1))", "f32"));
  // An operand that changes between.
  std::string const moved =
      "s = map(s) {expression: (multiply(i0, 2)), shape: [3], types: [f32]}\n";
  stays(made_line + sum_line + moved + read_line);
  // One of the size of what is read that the map itself changes.
  std::string const state =
      "tensor w: statistic f32 [3]\ntensor a: activation f32 [3]\ntensor out: result f32 [3]\n";
  std::string const lines =
      "w, a = map(w) {expression: (t0 = multiply(i0, 2); t0, add(t0, i0)), shape: [3], types: "
      "[f32, f32]}\nout = map(a) {expression: (exp(i0)), shape: [3], types: [f32]}\n";
  CHECK(after_sinking(state, lines) == lines);
}

TEST_CASE("a tensor that an output moved to is stored although nothing else reads it") {
  // dz is made of dx, and dx of y, which is a result: dz moves, and then dx is read twice.
  auto const chain =
      map_line("out, dx, dz", "dy, s",
               "(t0 = exp(i0); t1 = multiply(t0, i1); t0, t1, multiply(t1, i1))", "f32, f32, f32");
  CHECK(after_sinking(tensors_of("f32", "f32"),
                      chain + sum_line + map_line("more", "dz, sum", "(add(i0, i1))", "f32")) ==
        map_line("out, dx", "dy, s", "(t0 = exp(i0); t0, multiply(t0, i1))", "f32, f32") +
            sum_line + map_line("more", "s, dx, sum", "(add(multiply(i1, i0), i2))", "f32"));
}
