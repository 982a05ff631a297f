// The entry point that predicts, and which outputs are predictions.
#include "schemas/plan/prediction.hpp"
#include "tests/compiler/lowering/perceptron.hpp"

namespace lbann::compiler {

namespace {

/// A layer in text form, and its parents; none: the layer before it.
struct Written {
  std::string_view layer;
  Words parents = {};
};

/// Layers whose outputs are predictions by default, in a model with the objective `loss`.
Words predicted(std::vector<Written> const& layers, std::string const& metric = {}) {
  Perceptron model;
  model.experiment.layers.clear();
  for (auto const& [text, parents] : layers) {
    auto entry = layer_entries(model.layer_types, text).front();
    if (!parents.empty()) entry.parents.emplace();
    for (auto const& parent : parents) entry.parents->push_back(Name{parent, {}});
    model.experiment.layers.push_back(std::move(entry));
  }
  give_field(model.experiment, "labels", {3});
  if (!metric.empty()) {
    auto& measured = model.experiment.metrics.emplace_back();
    measured.name = Name{"measured", {}};
    measured.layer = Name{metric, {}};
  }
  model.compile("emit_prediction");
  Words names;
  for (auto const& output : model.compilation.state.model_outputs)
    if (output.by_default)
      names.push_back(output.layer + (output.index > 0 ? "." + std::to_string(output.index) : ""));
  return names;
}

Written const samples{"x: input {data_field: \"samples\"}"};
Written const labels{"t: input {data_field: \"labels\"}"};

}  // namespace

TEST_CASE("predict is evaluate without objective, writes no state and is not fused") {
  Perceptron model;
  CHECK(model.compile() == Words{"initialize", "train", "evaluate", "predict"});
  CHECK_FALSE(model.writes_state("predict"));
  auto const text = model.instructions("predict");
  CHECK(text.find("random(") == std::string::npos);
  // Whatever layer is chosen is still there, the loss as well.
  auto const& outputs = model.compilation.state.model_outputs;
  REQUIRE(outputs.size() == 4);
  CHECK(outputs[0].layer == "x");
  CHECK(outputs[3].layer == "loss");
}

TEST_CASE("predictions are what only losses and metrics take") {
  std::vector<Written> classifier{samples,
                                  labels,
                                  {"f: fully_connected {num_neurons: 3}", {"x"}},
                                  {"p: softmax {}"},
                                  {"loss: cross_entropy {}", {"p", "t"}},
                                  {"right: categorical_accuracy {}", {"p", "t"}}};
  CHECK(predicted(classifier, "right") == Words{"p"});
  CHECK(predicted(classifier) == Words{"p"});  // an accuracy that nothing takes
  classifier.push_back({"side: fully_connected {num_neurons: 2}", {"f"}});
  CHECK(predicted(classifier) == Words{"p", "side"});
}

TEST_CASE("a loss in layers of its own, on the way from the labels") {
  CHECK(predicted({samples,
                   labels,
                   {"f: fully_connected {num_neurons: 3}", {"x"}},
                   {"far: subtract {}", {"f", "t"}},
                   {"square: square {}"},
                   {"loss: reduction {mode: \"sum\"}"}}) == Words{"f"});
}

TEST_CASE("a code that the decoder takes is no prediction; labels may be an input of the model") {
  CHECK(predicted({samples,
                   {"code: fully_connected {num_neurons: 2}"},
                   {"again: fully_connected {num_neurons: 4}"},
                   {"loss: mean_squared_error {}", {"again", "x"}}}) == Words{"again"});
  CHECK(predicted({samples,
                   labels,
                   {"both: concatenation {}", {"x", "t"}},
                   {"f: fully_connected {num_neurons: 4}"},
                   {"loss: mean_squared_error {}", {"f", "x"}}}) == Words{"f"});
}

TEST_CASE("a plan of predictions has what the chosen outputs need and no more") {
  Perceptron model;
  model.compile();
  Plan plan;
  plan.program = model.compilation.program;
  plan.outputs = model.compilation.state.model_outputs;
  std::vector<ModelOutput> chosen;
  for (auto const& output : plan.outputs)
    if (output.layer == "d" || output.layer == "x") chosen.push_back(output);
  REQUIRE(chosen.size() == 2);
  auto const reduced = prediction_plan(plan, chosen);
  REQUIRE(reduced.program.entry_points.size() == 2);
  CHECK(verify(reduced.program) == std::nullopt);
  for (auto const& output : chosen)
    CHECK(reduced.program[output.tensor].role == TensorRole::result);
  for (auto const& instruction : reduced.program.entry_point("predict")->instructions)
    for (auto const id : instruction.outputs)
      CHECK(reduced.program[id].name.find("loss") == std::string::npos);
}

}  // namespace lbann::compiler
