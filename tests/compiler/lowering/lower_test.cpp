// Tests of the plan made from a finished compilation.
#include "compiler/lowering/lower.hpp"
#include "compiler/callbacks/clip_gradient_norm.hpp"
#include "compiler/lowering/lowering_passes.hpp"
#include "compiler/lowering/stable_hash.hpp"
#include "compiler/passes/graph_passes.hpp"
#include "schemas/callbacks/early_stopping.hpp"
#include "schemas/metrics/python_metric.hpp"
#include "tests/support/graph_fixture.hpp"

#include <doctest/doctest.h>

namespace lbann::compiler {

TEST_CASE("all the runtime reads beside the program") {
  GraphFixture fixture(
      "layer samples: input {data_field: \"samples\"} -> ip\n"
      "layer ip: fully_connected {num_neurons: 3, has_bias: false} (samples) -> norm\n"
      "layer norm: l2_norm2 (ip) -> norm_split\n"
      "layer norm_split: split (norm) -> norm_eval, norm_eval2 by insert_split_layers\n"
      "layer norm_eval: evaluation (norm_split:0)\n"
      "layer norm_eval2: evaluation (norm_split:1)\n"
      "term norm_eval scale 1\n"
      "metric \"size\" unit \"m\" of norm by norm_eval2\n");
  auto& experiment = fixture.experiment;
  give_field(experiment, "labels", {2});
  give_field(experiment, "samples", {4});
  experiment.readers[0].samples = 60;
  experiment.readers[0].declaration = optimizer_from(fixture.optimizer_types, "no_optimizer");
  experiment.optimizer = optimizer_from(fixture.optimizer_types, "sgd {learn_rate: 0.5}");
  experiment.name = "model";
  experiment.mini_batch_size = 12;
  experiment.random_seed = 7;
  experiment.training.max_epochs = 3;
  experiment.callbacks = {declaration_of(callbacks::clip_gradient_norm{.value = 1}),
                          declaration_of(callbacks::early_stopping{.patience = 2})};
  experiment.external_metrics.emplace_back();
  experiment.external_metrics[0].declaration =
      declaration_of(metrics::python_metric{.module = "scores"});
  experiment.external_metrics[0].name = {"scores.evaluate", {}};
  infer_shapes(fixture.compilation);
  resolve_weights(fixture.compilation);
  lower_to_operators(fixture.compilation);
  REQUIRE(fixture.codes().empty());
  auto const plan = lower(std::move(fixture.compilation));

  auto name_of = [&](TensorId id) { return id.valid() ? plan.program[id].name : "-"; };
  CHECK(plan.experiment == "model");
  CHECK(plan.mini_batch_size == 12);
  CHECK(plan.random_seed == 7);
  CHECK(plan.training.max_epochs == 3);
  CHECK(name_of(plan.mini_batch) == "mini_batch_size");
  CHECK(name_of(plan.first_sample) == "first_sample");
  CHECK(name_of(plan.seed) == "seed");
  CHECK(name_of(plan.step) == "step");
  CHECK(name_of(plan.objective.step_value) == "objective");
  CHECK(name_of(plan.objective.train_sum) == "objective/train_sum");
  CHECK(name_of(plan.objective.evaluate_sum) == "objective/evaluate_sum");
  REQUIRE(plan.metrics.size() == 2);
  CHECK(plan.metrics[1].name == "scores.evaluate");
  CHECK(plan.metrics[1].external.value().record.type == "python_metric");
  CHECK_FALSE(plan.metrics[1].train_sum.valid());
  // Clipping is in the program.
  REQUIRE(plan.callbacks.size() == 1);
  CHECK(plan.callbacks[0].record.type == "early_stopping");
  CHECK(plan.metrics[0].name == "size");
  CHECK(plan.metrics[0].unit == "m");
  CHECK(name_of(plan.metrics[0].step_value) == "size");
  CHECK(name_of(plan.metrics[0].train_sum) == "size/train_sum");
  REQUIRE(plan.weights.size() == 1);
  CHECK(plan.weights[0].name == "ip_linearity_weights");
  CHECK(plan.weights[0].dims == Dims{3, 4});
  CHECK(plan.weights[0].optimizer == "sgd");
  CHECK(name_of(plan.weights[0].learning_rate) == "sgd/learning_rate");
  REQUIRE(plan.layers.size() == 6);
  CHECK(plan.layers[1].type == "fully_connected");
  CHECK(plan.layers[1].parents == std::vector<std::string>{"samples"});
  CHECK(plan.layers[1].children == std::vector<std::string>{"norm"});
  CHECK(plan.layers[1].weights == std::vector<std::string>{"ip_linearity_weights"});
  CHECK(plan.layers[1].dims == std::vector<std::vector<std::int64_t>>{{3}});
  CHECK(plan.layers[3].inserted_by == "insert_split_layers");
  REQUIRE(plan.data.size() == 1);
  CHECK(plan.data[0].samples == 60);
  REQUIRE(plan.data[0].fields.size() == 1);  // labels are taken by nobody
  CHECK(plan.data[0].fields[0].name == "samples");
  CHECK(plan.data[0].fields[0].dims == Dims{4});
  CHECK(name_of(plan.data[0].fields[0].tensor) == "samples");
}

TEST_CASE("keys of random numbers never change") {
  CHECK(stable_hash("") == static_cast<std::int64_t>(0xcbf29ce484222325));
  CHECK(stable_hash("a") == static_cast<std::int64_t>(0xaf63dc4c8601ec8c));
  CHECK(stable_hash("foobar") == static_cast<std::int64_t>(0x85944171f73967e8));
}

}  // namespace lbann::compiler
