// Tests of the instructions that change weights.
#include <doctest/doctest.h>

#include "compiler/lowering/lowering_passes.hpp"
#include "compiler/passes/graph_passes.hpp"
#include "tests/support/graph_fixture.hpp"

namespace lbann::compiler {
namespace {

/// What `update_weights` appends for two weights, one of them with an optimizer of its own.
std::string updates(std::string_view optimizer, std::string const& own = "") {
  GraphFixture fixture(
      "layer x: input {data_field: \"samples\"} -> ip\n"
      "layer ip: fully_connected {num_neurons: 3} (x) -> end given w\n"
      "layer end: dummy (ip)\n"
      "weights w: []" +
      (own.empty() ? "" : " optimizer " + own) + "\n");
  give_field(fixture.experiment, "samples", {4});
  fixture.experiment.optimizer = optimizer_from(fixture.optimizer_types, optimizer);
  infer_shapes(fixture.compilation);
  resolve_weights(fixture.compilation);
  lower_to_operators(fixture.compilation);
  REQUIRE(fixture.codes().empty());
  auto const before = fixture.instructions("train");
  update_weights(fixture.compilation);
  auto const after = fixture.instructions("train");
  REQUIRE(after.starts_with(before));
  return after.substr(before.size());
}

}  // namespace

TEST_CASE("updates by sgd, with momentum and without") {
  CHECK(updates("sgd {learn_rate: 0.1, momentum: 0.5}", "sgd {learn_rate: 0.1}") ==
        "w = map(w, w/gradient, sgd/learning_rate) {expression: (subtract(i0, multiply(i2, i1))), "
        "shape: [3, 4], types: [f32]}\n"
        "ip_bias_weights, ip_bias_weights/velocity = map(ip_bias_weights, "
        "ip_bias_weights/gradient, sgd/learning_rate_2, ip_bias_weights/velocity) "
        "{expression: (t0 = add(multiply(i3, 0.5), i1); subtract(i0, multiply(i2, t0)), t0), "
        "shape: [3], types: [f32, f32]}\n"
        "step = map(step) {expression: (add(i0, 1)), compute: f64, types: [i64]}\n");
}

TEST_CASE("weights without an optimizer stay, the step counts") {
  CHECK(updates("no_optimizer") ==
        "step = map(step) {expression: (add(i0, 1)), compute: f64, types: [i64]}\n");
}

TEST_CASE("adam counts once for all its weights, before it updates them") {
  auto const text = updates("adam {learn_rate: 0.1}");
  CHECK(text.starts_with(
      "adam/beta1_power = map(adam/beta1_power) {expression: (multiply(i0, 0.9)), compute: f64, "
      "types: [f64]}\n"
      "adam/beta2_power = map(adam/beta2_power) {expression: (multiply(i0, 0.99)), compute: f64, "
      "types: [f64]}\n"
      "w.update/map = map(adam/learning_rate, adam/beta1_power, adam/beta2_power) {expression: "
      "(divide(multiply(i0, sqrt(subtract(1, i2))), subtract(1, i1))), compute: f64, types: "
      "[f64]}\n"
      "w, w/mean, w/mean_square = map(w, w/gradient, w.update/map, w/mean, w/mean_square)"));
  CHECK(text.find("beta1_power = ", 20) == std::string::npos);
  // Both weights take the same rate and the same correction of it.
  CHECK(text.find("map(ip_bias_weights, ip_bias_weights/gradient, w.update/map, ") !=
        std::string::npos);
}

}  // namespace lbann::compiler
