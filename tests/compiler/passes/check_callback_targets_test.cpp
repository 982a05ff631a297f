// The pass `check_callback_targets`: it changes nothing, and complains.
#include <doctest/doctest.h>

#include "compiler/callbacks/alternate_updates.hpp"
#include "compiler/callbacks/clip_gradient_norm.hpp"
#include "compiler/callbacks/custom_learning_rate.hpp"
#include "compiler/callbacks/drop_fixed_learning_rate.hpp"
#include "compiler/callbacks/linear_growth_learning_rate.hpp"
#include "compiler/callbacks/mixup.hpp"
#include "compiler/callbacks/perturb_adam.hpp"
#include "compiler/callbacks/perturb_dropout.hpp"
#include "compiler/callbacks/poly_learning_rate.hpp"
#include "compiler/callbacks/replace_weights.hpp"
#include "compiler/callbacks/set_learning_rate.hpp"
#include "compiler/callbacks/set_weights_value.hpp"
#include "compiler/callbacks/step_learning_rate.hpp"
#include "compiler/passes/graph_passes.hpp"
#include "schemas/callbacks/early_stopping.hpp"
#include "schemas/callbacks/save_model.hpp"
#include "schemas/callbacks/save_topk_models.hpp"
#include "tests/support/graph_fixture.hpp"

namespace lbann::compiler {

using Codes = std::vector<std::string>;

TEST_CASE("check_callback_targets") {
  check_graph_cases("check_callback_targets", check_callback_targets, [](GraphFixture& fixture) {
    fixture.experiment.callbacks = {declaration_of(callbacks::clip_gradient_norm{.value = 1})};
  });
}

TEST_CASE("layers and weights that callbacks name") {
  constexpr std::string_view text =
      "layer x: input {data_field: \"s\"} -> a dims [4]\n"
      "layer a: fully_connected {num_neurons: 4} (x) -> b dims [4] given w, u\n"
      "layer b: fully_connected {num_neurons: 4} (a) -> c dims [4]\n"
      "layer c: fully_connected {num_neurons: 3} (b) -> d dims [3]\n"
      "layer d: fully_connected {num_neurons: 3, has_bias: false} (c) -> e dims [3]\n"
      "layer e: dummy (d)\n"
      "weights w: []\nweights u: [] optimizer no_optimizer\n";
  auto run = [&](auto const& fields) {
    GraphFixture fixture(text);
    fixture.experiment.optimizer = optimizer_from(fixture.optimizer_types, "sgd {learn_rate: 1}");
    fixture.experiment.callbacks = {declaration_of(fields)};
    resolve_weights(fixture.compilation);
    REQUIRE(fixture.codes().empty());
    check_callback_targets(fixture.compilation);
    return fixture.codes();
  };
  using namespace callbacks;
  CHECK(run(set_learning_rate{.weights = {"w", "b_bias_weights"}, .step = 1}) == Codes{});
  CHECK(run(set_learning_rate{.weights = {"w", "v"}, .step = 1}) == Codes{"unknown-weights"});
  CHECK(run(clip_gradient_norm{.weights = {"u"}, .value = 1}) == Codes{"no-effect"});
  CHECK(run(set_weights_value{.weights = {"u"}}) == Codes{});
  CHECK(run(poly_learning_rate{.power = 1}) == Codes{"missing-field"});
  CHECK(run(poly_learning_rate{.power = 1, .max_iter = 9}) == Codes{});
  CHECK(run(custom_learning_rate{.expression = "first / (1 + epoch)"}) == Codes{});
  CHECK(run(custom_learning_rate{.expression = "first / (1 + epoch"}) == Codes{"rate-expression"});
  CHECK(run(custom_learning_rate{.expression = "max_epochs - step"}) == Codes{"rate-expression"});
  CHECK(run(custom_learning_rate{.expression = "first - 2"}) == Codes{"rate-expression"});
  CHECK(run(custom_learning_rate{.expression = "1 / step"}) == Codes{"rate-expression"});
  CHECK(run(alternate_updates{.layers_1 = {"a"}, .layers_2 = {"b", "f"}}) ==
        Codes{"unknown-layer"});
  CHECK(run(alternate_updates{.layers_1 = {"a"}, .layers_2 = {"a", "b"}}) == Codes{"no-effect"});
  CHECK(run(mixup{.alpha = 0.2}) == Codes{});
  CHECK(run(mixup{.layers = {"x"}, .alpha = 0.2}) == Codes{});
  CHECK(run(mixup{.layers = {"x", "a"}, .alpha = 0.2}) == Codes{"not-an-input"});
  CHECK(run(mixup{.layers = {"y"}, .alpha = 0.2}) == Codes{"unknown-layer"});
  CHECK(run(mixup{}) == Codes{"no-effect"});
  CHECK(run(perturb_adam{}) == Codes{"no-effect"});
  CHECK(run(perturb_adam{.weights = {"w"}}) == Codes{"no-effect"});
  CHECK(run(perturb_dropout{}) == Codes{"no-effect"});
  CHECK(run(perturb_dropout{.layers = {"a"}}) == Codes{"no-effect"});
  CHECK(run(replace_weights{.source_layers = {"a"}, .destination_layers = {"b"}}) == Codes{});
  CHECK(run(replace_weights{.source_layers = {"a"}, .destination_layers = {"b", "c"}}) ==
        Codes{"unlike-weights"});
  CHECK(run(replace_weights{.source_layers = {"c"}, .destination_layers = {"d"}}) ==
        Codes{"unlike-weights"});
  CHECK(run(replace_weights{.source_layers = {"b"}, .destination_layers = {"c"}}) ==
        Codes{"unlike-weights", "unlike-weights"});
  CHECK(run(replace_weights{.source_layers = {"z"}, .destination_layers = {"b"}}) ==
        Codes{"unknown-layer"});
}

TEST_CASE("callbacks that act only after the end of training") {
  using namespace callbacks;
  auto run = [](auto const& fields, std::int64_t epochs) {
    GraphFixture fixture("layer x: input {data_field: \"s\"} -> a dims [4]\nlayer a: dummy (x)\n");
    fixture.experiment.training.max_epochs = epochs;
    fixture.experiment.callbacks = {declaration_of(fields)};
    check_callback_targets(fixture.compilation);
    return fixture.codes();
  };
  set_learning_rate const at_five{.step = 5, .val = 1};
  CHECK(run(at_five, 5) == Codes{"never-acts"});
  CHECK(run(at_five, 6) == Codes{});
  CHECK(run(at_five, 0) == Codes{});  // steps end it, or time
  CHECK(run(drop_fixed_learning_rate{.drop_epoch = {9, 3}, .amt = 1}, 4) == Codes{});
  CHECK(run(drop_fixed_learning_rate{.drop_epoch = {9, 3}, .amt = 1}, 3) == Codes{"never-acts"});
  CHECK(run(step_learning_rate{.step = 2, .amt = 1}, 2) == Codes{"never-acts"});
  CHECK(run(linear_growth_learning_rate{.num_epochs = 3}, 2) == Codes{});
  CHECK(run(linear_growth_learning_rate{.num_epochs = 3, .delay = 2}, 2) == Codes{"never-acts"});
}

TEST_CASE("the best model needs phases with data, and to know what is better") {
  using namespace callbacks;
  auto run = [&](auto const& fields, std::vector<ExecutionMode> const& roles = {}) {
    GraphFixture fixture("layer x: input {data_field: \"s\"} -> a dims [4]\nlayer a: dummy (x)\n");
    for (auto const role : roles) fixture.experiment.readers.emplace_back().role = role;
    fixture.experiment.callbacks = {declaration_of(fields)};
    check_callback_targets(fixture.compilation);
    return fixture.codes();
  };
  save_model best{.dir = "a", .best = "accuracy", .mode = BestMode::max};
  CHECK(run(best) == Codes{"phase-without-data"});
  CHECK(run(best, {ExecutionMode::testing}) == Codes{"phase-without-data"});
  CHECK(run(best, {ExecutionMode::validation}) == Codes{});
  best.disable_save_after_training = true;
  CHECK(run(best, {ExecutionMode::validation}) == Codes{"no-effect"});
  best = {.dir = "a", .best = "accuracy"};
  CHECK(run(best, {ExecutionMode::validation}) == Codes{"missing-field"});
  best.best = "objective";  // there is none
  CHECK(run(best, {ExecutionMode::validation}) == Codes{"missing-field"});
  CHECK(run(save_model{.dir = "a", .mode = BestMode::min}) == Codes{"no-effect"});
  CHECK(run(early_stopping{.patience = 1}) == Codes{"never-acts"});
  CHECK(run(early_stopping{.patience = 1}, {ExecutionMode::validation}) == Codes{});
  CHECK(run(early_stopping{.patience = 1, .restore_best = true}) == Codes{"phase-without-data"});
  save_topk_models const top{.dir = "a", .k = 1, .metric = "accuracy"};
  CHECK(run(top, {ExecutionMode::validation}) == Codes{"phase-without-data"});
  CHECK(run(top, {ExecutionMode::testing}) == Codes{});
}

}  // namespace lbann::compiler
