// Models that are possible, but hardly what is meant.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "compiler/compile.hpp"
#include "compiler/passes/graph_passes.hpp"
#include "tests/support/graph_fixture.hpp"

namespace lbann::compiler {
namespace {

using Codes = std::vector<std::string>;

/// Codes for layers behind inputs `x` [4] and `truth` [3], and the layers of the objective.
struct Model {
  std::string layers;
  std::string objective = "[layer_term: {layer: loss}]";
  std::int64_t mini_batch = 4, epochs = 1;
  std::string trainer = "";  ///< more fields of the trainer

  Codes codes() const {
    CompileOptions options;
    options.name = "model.yaml";
    options.text = "trainer: {mini_batch_size: " + std::to_string(mini_batch) +
                   ", training_algorithm: {sgd: {max_epochs: " + std::to_string(epochs) + "}}" +
                   trainer +
                   "}\n"
                   "data_reader: [synthetic: {role: train, num_samples: 8, synth_dimensions: [4], "
                   "num_labels: 3}]\n"
                   "optimizer: {sgd: {learn_rate: 0.1}}\n"
                   "model:\n  objective_function: " +
                   objective +
                   "\n  layers:\n"
                   "    - input: {name: x, data_field: samples}\n"
                   "    - input: {name: truth, data_field: labels}\n" +
                   layers;
    static Declarations const declarations;
    auto const compiled = compile(options, declarations);
    Codes codes;
    for (auto const& each : compiled.report.diagnostics()) codes.emplace_back(each.info->code);
    return codes;
  }
};

std::string const scores = "    - fully_connected: {name: scores, parents: x, num_neurons: 3}\n";
std::string loss_of(std::string const& parents) {
  return "    - cross_entropy: {name: loss, parents: [" + parents + "]}\n";
}

/// Of a classifier behind `layer`.
Codes in_mini_batches(std::string const& layer, std::int64_t mini_batch) {
  return Model{layer + "    - fully_connected: {num_neurons: 3}\n    - softmax: {name: p}\n" +
                   loss_of("p, truth"),
               "[layer_term: {layer: loss}]", mini_batch}
      .codes();
}

}  // namespace

TEST_CASE("check_meaning") { check_graph_cases("check_meaning", check_meaning); }

TEST_CASE("a loss of probabilities is warned of scores, also through layers that pass them on") {
  CHECK(Model{scores + loss_of("scores, truth")}.codes() == Codes{"scores-as-probabilities"});
  CHECK(Model{scores + "    - identity: {name: same}\n    - reshape: {name: flat, dims: [3]}\n" +
              loss_of("flat, truth")}
            .codes() == Codes{"scores-as-probabilities"});
  CHECK(Model{scores + "    - relu: {name: r}\n" + loss_of("r, truth")}.codes() ==
        Codes{"scores-as-probabilities"});
  CHECK(Model{scores + "    - log_softmax: {name: p}\n" + loss_of("p, truth")}.codes() ==
        Codes{"logarithms-as-probabilities"});
  for (auto const* layer : {"softmax", "sigmoid"})
    CHECK(Model{scores + "    - " + layer + ": {name: p}\n" + loss_of("p, truth")}.codes() ==
          Codes{});
  // What nobody knows is not complained of.
  CHECK(Model{scores + "    - exp: {name: p}\n" + loss_of("p, truth")}.codes() == Codes{});
}

TEST_CASE("a loss of scores is warned of probabilities") {
  auto const of = [](std::string const& layer) {
    return Model{scores + "    - " + layer +
                 ": {name: p}\n    - sigmoid_binary_cross_entropy: {name: each, parents: [p, "
                 "truth]}\n    - reduction: {name: loss}\n"}
        .codes();
  };
  CHECK(of("sigmoid") == Codes{"probabilities-as-scores"});
  CHECK(of("identity") == Codes{});
}

TEST_CASE("swapped parents are found where weights act on the second alone") {
  auto const softmax = scores + "    - softmax: {name: p}\n";
  CHECK(Model{softmax + loss_of("truth, p")}.codes() == Codes{"swapped-parents"});
  CHECK(Model{softmax + loss_of("p, truth") +
              "    - categorical_accuracy: {name: a, parents: [truth, p]}\n"}
            .codes() == Codes{"swapped-parents", "unused-layer"});
  // A model that learns from another one.
  CHECK(Model{softmax +
              "    - fully_connected: {parents: x, num_neurons: 3}\n"
              "    - softmax: {name: teacher}\n" +
              loss_of("p, teacher")}
            .codes() == Codes{"unused-layer"});  // the input of labels
}

TEST_CASE("weights that no objective reaches are told, each layer once") {
  auto const good = scores + "    - softmax: {name: p}\n" + loss_of("p, truth");
  std::string const aside = "    - fully_connected: {name: aside, parents: x, num_neurons: 2}\n";
  CHECK(Model{good + aside}.codes() == Codes{"unreached-weights"});
  CHECK(
      Model{good + "    - fully_connected: {parents: x, num_neurons: 2, freeze: true}\n"}.codes() ==
      Codes{});
  CHECK(Model{good + aside,
              "[layer_term: {layer: loss}, l2_weight_regularization: {scale_factor: 1}]"}
            .codes() == Codes{});
  CHECK(Model{good, "[]"}.codes() == Codes{"no-objective"});
  CHECK(Model{good, "[]", 4, 0}.codes() == Codes{});
}

TEST_CASE("weights are sharded or those of a model-parallel layer") {
  auto const with = [](std::string const& layout, std::string const& sharded) {
    return Model{"    - fully_connected: {parents: x, num_neurons: 3, has_bias: false, weights: w" +
                 layout + "}\n    - softmax: {name: p}\n" + loss_of("p, truth") +
                 "  weights: [{name: w" + sharded + "}]\n"}
        .codes();
  };
  CHECK(with("", ", sharded: true") == Codes{});
  CHECK(with(", data_layout: model_parallel", "") == Codes{});
  CHECK(with(", data_layout: model_parallel", ", sharded: true") == Codes{"no-effect"});
  CHECK(with("", ", sharding_strategy: grid_rows") == Codes{"no-effect"});
}

TEST_CASE("updates are sharded where a trained matrix is whole") {
  auto const with = [](std::string const& layer, std::string const& weights = "") {
    return Model{"    - " + layer + "\n    - softmax: {name: p}\n" + loss_of("p, truth") + weights,
                 "[layer_term: {layer: loss}]", 4, 1, ", shard_updates: true"}
        .codes();
  };
  CHECK(with("fully_connected: {parents: x, num_neurons: 3}") == Codes{});
  CHECK(with("layer_norm: {parents: x, scale: true}\n    - slice: {slice_points: [0, 3]}") ==
        Codes{"no-effect"});
  CHECK(with("fully_connected: {parents: x, num_neurons: 3, data_layout: model_parallel}") ==
        Codes{"no-effect"});
  CHECK(with("fully_connected: {parents: x, num_neurons: 3}", "  sharded: true\n") ==
        Codes{"no-effect"});
}

TEST_CASE("a mean over the mini-batch of one number says nothing") {
  CHECK(in_mini_batches("    - batch_normalization: {parents: x}\n", 1) == Codes{"mean-of-one"});
  CHECK(in_mini_batches("    - batch_normalization: {parents: x}\n", 2) == Codes{});
  CHECK(in_mini_batches("    - reshape: {parents: x, dims: [2, 2]}\n    - batch_normalization:\n",
                        1) == Codes{});
  CHECK(in_mini_batches(
            "    - reshape: {parents: x, dims: [2, 2]}\n    - entrywise_batch_normalization:\n",
            1) == Codes{"mean-of-one"});
}

TEST_CASE("a mean is also of one number in the last mini-batch of an epoch") {
  auto const norm = "    - batch_normalization: {parents: x}\n";
  CHECK(in_mini_batches(norm, 7) == Codes{"mean-of-one"});  // of 8 samples
  CHECK(in_mini_batches(norm, 3) == Codes{});
  CHECK(in_mini_batches(norm, 8) == Codes{});
  CHECK(in_mini_batches("    - layer_norm: {parents: x}\n", 7) == Codes{});
}

TEST_CASE(
    "a layer at which the model ends is warned of, but for predictions and what is asked for") {
  auto const with = [](std::string const& layer, std::string const& callbacks = "") {
    return Model{scores + layer + "    - softmax: {name: p, parents: scores}\n" +
                 loss_of("p, truth") + callbacks}
        .codes();
  };
  CHECK(with("    - relu: {name: forgotten}\n") == Codes{"unused-layer"});
  CHECK(with("    - relu: {name: forgotten}\n    - reshape: {dims: [3]}\n") ==
        Codes{"unused-layer"});  // told of the end alone
  CHECK(with("    - sigmoid: {name: each}\n") == Codes{});
  CHECK(with("    - sigmoid: {name: each}\n    - identity: {name: same}\n") == Codes{});
  CHECK(with("    - relu: {name: forgotten}\n    - dummy:\n") == Codes{});
  CHECK(with("    - relu: {name: r}\n", "  callbacks: [dump_outputs: {layers: [r]}]\n") == Codes{});
  CHECK(with("    - relu: {name: r}\n", "  callbacks: [dump_outputs: {layers: [p]}]\n") ==
        Codes{"unused-layer"});
  CHECK(with("    - relu: {name: r}\n", "  callbacks: [dump_outputs: ]\n") == Codes{});
  CHECK(with("    - slice: {name: s, slice_points: [0, 1, 3]}\n    - relu: {parents: s.1}\n    - "
             "l2_norm2: {name: n}\n") == Codes{"unused-layer"});
}

TEST_CASE("a reader that leaves out a field that is asked for could give it") {
  auto const notes = [](std::string const& fields) {
    CompileOptions options;
    options.name = "model.yaml";
    options.text =
        "trainer: {mini_batch_size: 4, training_algorithm: {sgd: {max_epochs: 1}}}\n"
        "data_reader: [csv: {role: train, data_filename: none.csv, fields: {samples: {dims: [4]}}" +
        fields +
        "}]\n"
        "optimizer: {sgd: {learn_rate: 0.1}}\n"
        "model:\n  objective_function: [layer_term: {layer: loss}]\n  layers:\n"
        "    - input: {name: x, data_field: samples}\n"
        "    - input: {name: y, data_field: responses}\n"
        "    - fully_connected: {name: guess, parents: x, num_neurons: 1}\n"
        "    - mean_squared_error: {name: loss, parents: [guess, y]}\n";
    static Declarations const declarations;
    auto const compiled = compile(options, declarations);
    std::vector<std::string> found;
    for (auto const& each : compiled.report.diagnostics())
      if (std::string_view(each.info->code) == "unknown-data-field")
        found.insert(found.end(), each.notes.begin(), each.notes.end());
    return found;
  };
  using Notes = std::vector<std::string>;
  CHECK(notes("") == Notes{"`csv` gives `responses` with `disable_responses: false`, and no "
                           "`labels` with `disable_labels: true`"});
  CHECK(notes(", disable_labels: true") ==
        Notes{"`csv` gives `responses` with `disable_responses: false`"});
  CHECK(notes(", disable_labels: true, disable_responses: false") == Notes{});
}

TEST_CASE("data that no input layer takes is warned of, targets where they are named") {
  auto const codes = [](std::string const& input, std::string const& reader) {
    CompileOptions options;
    options.name = "model.yaml";
    options.text =
        "trainer: {mini_batch_size: 4, training_algorithm: {sgd: {max_epochs: 1}}}\n"
        "data_reader: [" +
        reader +
        "]\n"
        "optimizer: {sgd: {learn_rate: 0.1}}\n"
        "model:\n  objective_function: [layer_term: {layer: loss}]\n  layers:\n"
        "    - input: {data_field: " +
        input +
        "}\n"
        "    - fully_connected: {num_neurons: 3}\n    - l2_norm2: {name: loss}\n";
    static Declarations const declarations;
    Codes found;
    auto const compiled = compile(options, declarations);
    for (auto const& each : compiled.report.diagnostics()) found.emplace_back(each.info->code);
    return found;
  };
  std::string const synthetic =
      "synthetic: {role: train, num_samples: 8, synth_dimensions: [4], num_labels: 3}";
  CHECK(codes("samples", synthetic) == Codes{});  // labels come without being asked for
  CHECK(codes("labels", synthetic) == Codes{"unused-data-field"});
  auto const with_extra = [&](std::string const& input) {
    return codes(input,
                 "synthetic: {role: train, num_samples: 8, synth_dimensions: [4], data_fields: "
                 "[extra], fields: {extra: {dims: [4]}}}");
  };
  CHECK(with_extra("extra") == Codes{});
  CHECK(with_extra("samples") == Codes{"unused-data-field"});
}

}  // namespace lbann::compiler
