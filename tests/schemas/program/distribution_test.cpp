// Distributions: what follows from loops, and programs whose tensors say something else.
#include <doctest/doctest.h>

#include "schemas/program/distribution.hpp"

using namespace lbann;

namespace {

std::string const batch_tensors =
    "tensor x: input f32 [batch, 4] split [[data], []]\n"
    "tensor w: weights f32 [3, 4]\n"
    "tensor g: gradient f32 [3, 4] of w\n"
    "tensor s: statistic f64 []\n"
    "tensor y: activation f32 [batch, 3] split [[data], []]\n"
    "tensor p: activation f64 [] partial [data]\n"
    "tensor q: activation f64 [] partial [data]\n"
    "tensor t: activation f64 []\n"
    "tensor m: activation f64 [4]\n"
    "tensor v: activation f64 [4]\n"
    "tensor r: result f64 []\n";
std::string const batch_product = "  y = matmul(x, w) {transpose_b: true}\n";
std::string const batch_sum =
    "  p = reduce(y) {expression: (i0), shape: [batch, 3], axes: [0, 1], type: f64}\n";
std::string const batch_whole = "  t = all_reduce(p) {mesh_axes: [data]}\n";

std::string map_of(std::string const& output, std::string const& inputs,
                   std::string const& expression) {
  return "  " + output + " = map(" + inputs + ") {expression: (" + expression +
         "), compute: f64, types: [f64]}\n";
}

/// The fault of the distributions of an entry point, empty if there is none.
std::string distribution_fault(std::string const& lines, std::string const& table = batch_tensors) {
  auto const parsed = parse_program(table + "entry train:\n" + lines);
  REQUIRE_MESSAGE(parsed.good(), (parsed.good() ? "" : parsed.problem().message));
  auto const sound = verify(parsed.value());
  REQUIRE_MESSAGE(!sound, sound.value_or(""));
  return verify_distribution(parsed.value()).value_or("");
}

void check_names(std::string const& fault, std::string const& words) {
  CAPTURE(fault);
  CHECK(fault.find(words) != std::string::npos);
}

std::string replaced(std::string text, std::string const& a, std::string const& b) {
  return text.replace(text.find(a), a.size(), b);
}

}  // namespace

TEST_CASE("distributions that follow from loops are accepted") {
  CHECK(distribution_fault(batch_product + batch_sum + batch_whole +
                           map_of("s", "s, t", "add(i0, i1)")) == "");
  // Partial sums enter linearly.
  CHECK(distribution_fault(batch_product + batch_sum + map_of("q", "p, s", "multiply(i0, i1)") +
                           map_of("r", "q", "negative(i0)") +
                           "  r = all_reduce(r) {mesh_axes: [data]}\n") == "");
  // A gradient is summed where it lies.
  CHECK(distribution_fault(batch_product + "  g = matmul(y, x) {transpose_a: true}\n" +
                           "  g = all_reduce(g) {mesh_axes: [data]}\n") == "");
}

TEST_CASE("an epilogue is a map of partial sums") {
  auto const table = batch_tensors +
                     "tensor h: activation f32 [3, 4] partial [data]\n"
                     "tensor k: activation f32 [3, 4] partial [data]\n";
  auto const first = batch_product + "  h = matmul(y, x) {transpose_a: true}\n";
  auto const second = [&](std::string const& inputs, std::string const& epilogue) {
    return distribution_fault(first + "  k = matmul(" + inputs +
                                  ") {transpose_a: true, epilogue: (" + epilogue +
                                  "), types: [f32]}\n",
                              table);
  };
  CHECK(second("y, x, h", "add(i0, i1)") == "");
  CHECK(second("y, x, w", "multiply(i0, i1)") == "");
  // Every rank would add the same weights.
  check_names(second("y, x, w", "add(i0, i1)"), "its epilogue does not depend linearly on a sum");
  check_names(second("y, x, h", "multiply(i0, i1)"), "does not depend linearly on a sum");
}

TEST_CASE("distributions that do not follow are named") {
  check_names(
      distribution_fault(batch_product + batch_sum, replaced(batch_tensors, " partial [data]", "")),
      "p is a partial sum, but does not say so");
  check_names(distribution_fault(batch_product + batch_sum + map_of("s", "s, p", "add(i0, i1)")),
              "does not depend linearly");
  check_names(distribution_fault(batch_product + "  g = matmul(y, x) {transpose_a: true}\n"),
              "g is left a partial sum");
  check_names(distribution_fault(map_of("p", "s", "negative(i0)")), "p is no partial sum");
  check_names(distribution_fault(map_of("t", "s", "negative(i0)") +
                                 "  r = all_reduce(t) {mesh_axes: [data]}\n"),
              "its input is no partial sum");
  check_names(
      distribution_fault(batch_product + batch_sum + "  t = all_reduce(p) {mesh_axes: [rows]}\n"),
      "its input is no partial sum");
  check_names(
      distribution_fault(batch_product,
                         replaced(batch_tensors, "[batch, 4] split [[data], []]", "[batch, 4]")),
      "not split along the mini-batch alone");
  check_names(
      distribution_fault(batch_product,
                         replaced(batch_tensors, "[batch, 3] split [[data], []]", "[batch, 3]")),
      "y is not split as its instruction gives it");
  check_names(distribution_fault(
                  batch_product + batch_sum +
                  "  y = map(y, p) {expression: (multiply(i0, i1)), shape: [batch, 3], types: "
                  "[f32]}\n"),
              "a partial sum meets data split over the same axis");
  // A maximum over samples is not a sum of those of parts.
  check_names(distribution_fault(
                  "  t = reduce(x) {mode: max, expression: (i0), shape: [batch, 4], axes: [0, 1], "
                  "type: f64}\n"),
              "a dimension is split that must be whole");
}

TEST_CASE("moments of parts are only good for a sum that merges them") {
  auto const moments = std::string("  p, m, v = moments(x) {axes: [0]}\n");
  auto const deviation = std::string(
      " = map(m, v, p) {expression: (add(i1, multiply(i2, square(i0)))), shape: [4], compute: f64, "
      "types: [f64]}\n");
  auto const merged = std::string("tensor d: activation f64 [4]");
  CHECK(distribution_fault(moments + "  d" + deviation,
                           batch_tensors + merged + " partial [data]\n") == "");
  check_names(distribution_fault(moments + "  d" + deviation, batch_tensors + merged + "\n"),
              "d is made of what each rank has of its own");
  CHECK(distribution_fault("  p, m, v = moments(w) {axes: [0]}\n",
                           replaced(batch_tensors, " partial [data]", "")) == "");
}

TEST_CASE("mesh axes are numbered as cuts nest") {
  MeshAxes mesh;
  CHECK(mesh.set_of(std::vector<std::string>{"data"}).value() == data_axis);
  CHECK(mesh.set_of(std::vector<std::string>{"rows", "data"}).value() == 3);
  CHECK(mesh.names_of(3) == std::vector<std::string>{"data", "rows"});
  std::vector<std::string> many;
  for (std::size_t i = 0; i < MeshAxes::most; ++i) many.push_back(std::to_string(i));
  CHECK_FALSE(mesh.set_of(many).good());
}
