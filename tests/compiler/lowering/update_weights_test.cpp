// Tests of the instructions that change weights.
#include <doctest/doctest.h>

#include <optional>

#include "compiler/callbacks/alternate_updates.hpp"
#include "compiler/callbacks/clip_gradient_norm.hpp"
#include "compiler/callbacks/optimizerwise_adaptive_learning_rate.hpp"
#include "compiler/callbacks/step_learning_rate.hpp"
#include "compiler/lowering/lowering_passes.hpp"
#include "compiler/passes/graph_passes.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/expected.hpp"
#include "tests/support/graph_fixture.hpp"

namespace lbann::compiler {

using testing::contains;

namespace {

/// What `update_weights` appends for two weights, one of them with an optimizer of its own.
std::string updates(std::string_view optimizer, std::string const& own = "",
                    std::vector<Declaration> callbacks = {},
                    std::optional<LossScale> const& loss_scale = {}) {
  GraphFixture fixture(
      "layer x: input {data_field: \"samples\"} -> ip\n"
      "layer ip: fully_connected {num_neurons: 3} (x) -> end given w\n"
      "layer end: dummy (ip)\n"
      "weights w: []" +
      (own.empty() ? "" : " optimizer " + own) + "\n");
  give_field(fixture.experiment, "samples", {4});
  fixture.experiment.callbacks = std::move(callbacks);
  fixture.experiment.loss_scale = loss_scale;
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
  CHECK(tests::difference(
            "tests/compiler/lowering/update_weights.expected",
            "updates by sgd, with momentum and without",
            updates("sgd {learn_rate: 0.1, momentum: 0.5}", "sgd {learn_rate: 0.1}")) == "");
}

TEST_CASE("weights without an optimizer stay, the step counts") {
  CHECK(updates("no_optimizer") ==
        "step = map(step) {expression: (add(i0, 1)), compute: f64, types: [i64]}\n");
}

TEST_CASE("adam counts once for all its weights, after it has updated them") {
  auto const text = updates("adam {learn_rate: 0.1}");
  CHECK(text.starts_with(
      "w.update/map = map(adam/learning_rate, adam/beta1_power, adam/beta2_power) {expression: "
      "(divide(multiply(i0, sqrt(subtract(1, i2))), subtract(1, i1))), compute: f64, types: "
      "[f64]}\n"
      "w, w/mean, w/mean_square = map(w, w/gradient, w.update/map, w/mean, w/mean_square)"));
  // Both weights take the same rate and the same correction of it.
  CHECK(contains(text, "map(ip_bias_weights, ip_bias_weights/gradient, w.update/map, "));
  CHECK(text.ends_with(
      "adam/beta1_power = map(adam/beta1_power) {expression: (multiply(i0, 0.9)), compute: f64, "
      "types: [f64]}\n"
      "adam/beta2_power = map(adam/beta2_power) {expression: (multiply(i0, 0.99)), compute: f64, "
      "types: [f64]}\n"
      "step = map(step) {expression: (add(i0, 1)), compute: f64, types: [i64]}\n"));
}

TEST_CASE("hypergradients change the rate of each weights object before it is used") {
  auto const text = updates("hypergradient_adam {init_learning_rate: 0.1, hyper_learning_rate: 2}");
  CHECK(
      text.starts_with("w.update/reduce = reduce(w/gradient, w/direction) {expression: "
                       "(multiply(i0, i1)), shape: [3, 4], axes: [0, 1], type: f64}\n"
                       "hypergradient_adam/learning_rate = map(hypergradient_adam/learning_rate, "
                       "w.update/reduce) {expression: (add(i0, multiply(i1, 2)))"));
  CHECK(contains(text, "hypergradient_adam/learning_rate_2 = "));
}

TEST_CASE("clipping scales gradients in place, by one norm or by one for each") {
  auto const each = updates("sgd {learn_rate: 0.1}", "",
                            {declaration_of(callbacks::clip_gradient_norm{.value = 2})});
  CHECK(
      each.starts_with("clip_gradient_norm/reduce = reduce(w/gradient) {expression: (square(i0)), "
                       "shape: [3, 4], axes: [0, "
                       "1], type: f64}\n"
                       "clip_gradient_norm/map = map(clip_gradient_norm/reduce) {expression: (t0 = "
                       "sqrt(i0); select(less(2, t0), "
                       "divide(2, t0), 1)), compute: f64, types: [f64]}\n"
                       "w/gradient = map(w/gradient, clip_gradient_norm/map) {expression: "
                       "(multiply(i0, i1)), shape: [3, 4], "
                       "types: [f32]}\n"));
  CHECK(contains(each,
                 "ip_bias_weights/gradient = map(ip_bias_weights/gradient, "
                 "clip_gradient_norm/map_2)"));
  auto const all =
      updates("sgd {learn_rate: 0.1}", "",
              {declaration_of(callbacks::clip_gradient_norm{.global_norm = true, .value = 2})});
  CHECK(contains(all, "w/gradient = map(w/gradient, clip_gradient_norm/map_2)"));
  CHECK(contains(
      all, "ip_bias_weights/gradient = map(ip_bias_weights/gradient, clip_gradient_norm/map_2)"));
  auto const one = updates(
      "sgd {learn_rate: 0.1}", "",
      {declaration_of(callbacks::clip_gradient_norm{.weights = {"ip_bias_weights"}, .value = 2})});
  CHECK_FALSE(contains(one, "w/gradient = "));
  CHECK(contains(one, "ip_bias_weights/gradient = "));
}

TEST_CASE("weights on which callbacks act differently have learning rates of their own") {
  auto const schedule = [](std::vector<std::string> weights) {
    return declaration_of(
        callbacks::step_learning_rate{.weights = std::move(weights), .step = 1, .amt = 1});
  };
  CHECK_FALSE(contains(updates("sgd {learn_rate: 0.1}", "", {schedule({})}), "learning_rate_2"));
  CHECK(contains(updates("sgd {learn_rate: 0.1}", "", {schedule({"w"})}), "learning_rate_2"));
  CHECK_FALSE(contains(updates("sgd {learn_rate: 0.1}", "", {schedule({"w", "ip_bias_weights"})}),
                       "learning_rate_2"));
}

TEST_CASE("weights and counters stay where a gradient is not finite, and the loss scale moves") {
  CHECK(tests::difference("tests/compiler/lowering/update_weights.expected",
                          "weights and counters stay where a gradient is not finite, and the loss "
                          "scale moves",
                          updates("adam {learn_rate: 0.1}", "",
                                  {declaration_of(callbacks::alternate_updates{
                                      .layers_1 = {"ip"}, .layers_2 = {}, .iters_1 = 3})},
                                  LossScale{65536, 2, 0.5, 2000, {}})) == "");
}

TEST_CASE("weights and counters stay while it is the turn of others") {
  auto const text = updates("adam {learn_rate: 0.1}", "",
                            {declaration_of(callbacks::alternate_updates{
                                .layers_1 = {"ip"}, .layers_2 = {}, .iters_1 = 3})});
  CHECK(
      text.starts_with("alternate_updates/map = map(alternate_updates/turn) {expression: "
                       "(less(i0, 3)), compute: f64, types: [f64]}\n"));
  CHECK(contains(text,
                 "adam/beta1_power = map(adam/beta1_power, alternate_updates/map) "
                 "{expression: (select(i1, multiply(i0, 0.9), i0))"));
  // Layers of both groups are never still.
  CHECK(contains(updates("sgd {learn_rate: 0.1}", "",
                         {declaration_of(callbacks::alternate_updates{.layers_1 = {"ip"},
                                                                      .layers_2 = {"ip"}})}),
                 "w = map(w, w/gradient, sgd/learning_rate) "));
}

TEST_CASE("optimizerwise_adaptive_learning_rate scales the step of each weights object") {
  auto const text = updates("sgd {learn_rate: 0.1}", "",
                            {declaration_of(callbacks::optimizerwise_adaptive_learning_rate{
                                .weights = {"w"}, .scale = 3})});
  CHECK(contains(text,
                 "optimizerwise_adaptive_learning_rate/map = "
                 "map(optimizerwise_adaptive_learning_rate/reduce, "
                 "optimizerwise_adaptive_learning_rate/reduce_2) {expression: "
                 "(select(logical_and(less(0, i0), less(0, i1)), multiply(divide(sqrt(i0), "
                 "sqrt(i1)), 3), 1)), compute: f64, types: [f64]}\n"));
  CHECK(contains(text,
                 "w.update/map = map(sgd/learning_rate, optimizerwise_adaptive_learning_rate/map) "
                 "{expression: (multiply(i0, i1))"));
  CHECK(contains(text, "w = map(w, w/gradient, w.update/map) "));
  CHECK(contains(text,
                 "ip_bias_weights = map(ip_bias_weights, ip_bias_weights/gradient, "
                 "sgd/learning_rate) "));
}

}  // namespace lbann::compiler
