// Experiments: what is read, and what is said about what cannot be.
#include "compiler/experiment/reading/read_experiment.hpp"

#include <doctest/doctest.h>

#include <random>

#include "compiler/export/experiment_node.hpp"
#include "compiler/export/yaml.hpp"
#include "compiler/layers/learned/convolution.hpp"
#include "compiler/optimizers/sgd.hpp"
#include "schemas/callbacks/list.hpp"
#include "tests/compiler/experiment/read_text.hpp"

using namespace lbann;
using namespace lbann::compiler;

namespace {

using List = std::vector<std::string>;

constexpr std::string_view complete = R"(variables: {epochs: 5, width: 16}
trainer:
  mini_batch_size: 64
  training_algorithm:
    sgd: {max_epochs: ${epochs}}
data_reader:
  - digits: {role: train, num_samples: 9000, shuffle: true, validation_fraction: 0.1}
  - digits: {role: test, num_samples: 1000}
model:
  name: lenet
  datatype: double
  layers:
    - input: {name: images, data_field: samples}
    - convolution: {name: conv1, out_channels: ${width // 2}, kernel_size: 5, weights: [w1]}
    - relu:
    - slice: {name: parts, slice_points: [0, 4, 10]}
    - relu: {parents: parts.0}
    - relu: {enabled: false, nonsense: 1}
    - relu: {hint_layer: conv1, freeze: true}
    - sum: {name: loss, parents: [relu_2, relu_4]}
  objective_function:
    - layer_term: {layer: loss}
    - l2_weight_regularization: {scale_factor: 1e-4, weights: w1}
  metrics:
    - layer_metric: {name: accuracy, layer: loss, unit: "%"}
  weights:
    - {name: w1, initializer: {he_normal: }, optimizer: {sgd: {learn_rate: 0.1}}}
    - {name: w2, initializer: {constant_initializer: {value: 1}}, optimizer: {no_optimizer: }}
  callbacks:
    - print:
    - save_model: {dir: model}
optimizer:
  sgd: {learn_rate: 0.01, momentum: 0.9}
x-notes: [anything]
)";

/// The experiment in the language, every field written out.
std::string to_text(Experiment const& experiment) {
  return to_yaml(to_node(experiment, Reading::declarations(), Detail::full));
}

/// An experiment around some lines of `model: layers:`.
std::string with_layers(std::string const& layers) {
  return "trainer: {mini_batch_size: 1, training_algorithm: {sgd: {max_epochs: 1}}}\n"
         "model:\n  layers:\n" +
         layers;
}

}  // namespace

TEST_CASE("read_experiment reads the whole language") {
  Reading const r{std::string(complete)};
  CHECK(r.rendered() == "");
  auto const& e = r.experiment;
  CHECK(e.name == "lenet");
  CHECK(e.type == DataType::f64);
  CHECK(e.mini_batch_size == 64);
  CHECK(e.random_seed == 42);
  CHECK(e.training.max_epochs == 5);
  REQUIRE(e.readers.size() == 2);
  CHECK(e.readers[1].role == ExecutionMode::testing);
  CHECK(e.readers[1].samples == 1000);
  REQUIRE(e.readers[0].fields.size() == 2);
  CHECK(e.readers[0].fields[0].dims == std::vector<std::int64_t>{1, 28, 28});
  REQUIRE(e.layers.size() == 7);
  auto const& convolution = e.layers[1].declaration.as<layers::convolution>();
  CHECK(convolution.out_channels == 8);
  CHECK(convolution.kernel_size == std::vector<std::int64_t>{5});
  CHECK(e.layers[1].named);
  CHECK_FALSE(e.layers[1].parents.has_value());
  CHECK(e.layers[1].weights[0].text == "w1");
  CHECK(e.layers[2].name.text == "relu_1");
  CHECK_FALSE(e.layers[2].named);
  CHECK((*e.layers[4].parents)[0].text == "parts.0");
  CHECK(e.layers[5].name.text == "relu_4");  // the one switched off keeps its number
  CHECK(e.layers[5].freeze);
  CHECK(e.layers[5].hint_layer->text == "conv1");
  CHECK(e.objective.size() == 2);
  CHECK(e.objective[0].scale_factor == 1);
  CHECK(e.objective[1].weights[0].text == "w1");
  CHECK(e.metrics[0].unit == "%");
  CHECK(e.weights[0].initializer.type->name == "he_normal_initializer");
  CHECK(e.weights[1].optimizer.type->name == "no_optimizer");
  CHECK(e.callbacks[1].as<callbacks::save_model>().dir == "model");
  CHECK(e.optimizer.as<optimizers::sgd>().momentum == 0.9);
  auto const place = e.layers[1].declaration.place_of("kernel_size");
  CHECK(r.sources[0].text.substr(place.begin, place.end - place.begin) == "5");
}

TEST_CASE("an experiment written out in full reads back as the same") {
  Reading const first{std::string(complete)};
  auto const text = to_text(first.experiment);
  Reading const again(text);
  CHECK(again.rendered() == "");
  CHECK(to_text(again.experiment) == text);
  CHECK(again.experiment.layers.size() == first.experiment.layers.size());
}

TEST_CASE("read_experiment reports everything in one run, each at its place") {
  Reading const r(R"(trainer:
  mini_batch_siz: 64
  training_algorithm: {sgd: {max_epochs: 0.5, max_batches: -1}}
data_reader:
  - digits: {role: validation, num_samples: 1e3, shuffle: yes}
  - mnst: {role: train}
model:
  datatype: f32
  layers:
    - input: {data_field: [samples]}
    - convolution: {out_chanels: 6, kernel_size: "5"}
    - dropout: 0.5
    - relu
    - fully_connected:
      num_neurons: 3
    - softmax: {keep_prob: 0.5}
    - pooling: {pool_mode: maximum, pool_dims: [2, two]}
    - {name: x, type: relu}
    - fully_connected: {num_neurons: 010, has_bias: null}
  callbacks:
    print: {interval: 0}
optimizer: {sgd: {momentum: 1.5}}
)");
  CHECK(r.codes() == List{"unknown-field@mini_batch_siz",
                          "wrong-type@0.5",
                          "out-of-range@-1",
                          "not-a-choice@validation",
                          "wrong-type@1e3",
                          "ambiguous-scalar@yes",
                          "unknown-type@mnst",
                          "missing-field@mnst",
                          "not-a-choice@f32",
                          "wrong-type@[samples]",
                          "unknown-field@out_chanels",
                          "wrong-type@\"5\"",
                          "scalar-for-fields@0.5",
                          "not-an-entry@relu",
                          "wrong-indentation@num_neurons",
                          "unknown-field@keep_prob",
                          "not-a-choice@maximum",
                          "wrong-type@two",
                          "not-an-entry@type",
                          "ambiguous-scalar@010",
                          "wrong-type@null",
                          "wrong-type@print: {interval: 0}",
                          "missing-field@sgd",
                          "out-of-range@1.5"});
}

TEST_CASE("read_experiment knows scalars that YAML 1.1 and 1.2 read differently") {
  struct Case {
    std::string text, code, suggestion;
  };
  for (auto const& [text, code, suggestion] : std::vector<Case>{
           {"- fully_connected: {num_neurons: 0o17}", "ambiguous-scalar", "15"},
           {"- fully_connected: {num_neurons: 0b11}", "ambiguous-scalar", "3"},
           {"- fully_connected: {num_neurons: 1_000}", "ambiguous-scalar", "1000"},
           {"- fully_connected: {num_neurons: 1:30}", "ambiguous-scalar", "90"},
           {"- fully_connected: {num_neurons: 010}", "ambiguous-scalar", "10"},
           {"- dropout: {keep_prob: 00.5e1_0}", "ambiguous-scalar", "00.5e10"},
           {"- fully_connected: {num_neurons: 3, has_bias: off}", "ambiguous-scalar", "false"},
           {"- fully_connected: {num_neurons: 3, has_bias: Y}", "ambiguous-scalar", "true"},
           {"- input: {data_field: samples, name: no}", "ambiguous-scalar", "\"no\""},
           {"- input: {data_field: samples, name: true}", "wrong-type", "\"true\""},
           {"- fully_connected: {num_neurons: 1e3}", "wrong-type", "1000"},
           {"- pooling: {pool_mode: max, pool_dims: 2 2}", "wrong-type", "[2, 2]"},
           {"- dropout: {keep_prob: .nan}", "wrong-type", ""},
           {"- dropout: {keep_prob: .inf}", "wrong-type", ""},
           {"- fully_connected: {num_neurons: 99999999999999999999}", "out-of-range", ""},
       }) {
    CAPTURE(text);
    Reading const r(with_layers("    " + text + "\n"));
    REQUIRE(r.report.diagnostics().size() == 1);
    auto const& diagnostic = r.report.diagnostics().front();
    CHECK(diagnostic.info->code == code);
    if (!suggestion.empty()) {
      REQUIRE_FALSE(diagnostic.suggestions.empty());
      CHECK(diagnostic.suggestions.front() == suggestion);
    }
  }
  for (auto const* text :
       {"- fully_connected: {num_neurons: 0x1F, has_bias: True}", "- dropout: {keep_prob: 5e-1}",
        "- dropout: {keep_prob: 1}", "- input: {data_field: samples, name: y}",
        "- input: {data_field: samples, name: \"no\"}"}) {
    CAPTURE(text);
    CHECK(Reading(with_layers("    " + std::string(text) + "\n")).rendered() == "");
  }
}

TEST_CASE("read_experiment names what must be there") {
  CHECK(Reading("").codes() == List{"empty-experiment@"});
  CHECK(Reading("{}\n").codes() == List{"empty-experiment@"});
  CHECK(Reading("model:x\n").codes() == List{"wrong-type@model:x"});
  CHECK(Reading("[1]\n").codes() == List{"wrong-type@[1]"});
  CHECK(Reading("x-a: 1\n").rendered().find("`experiment` needs `trainer` and `model`") !=
        std::string::npos);
  CHECK(Reading("trainer: 3\nmodel: [x]\nvariables: 5\n").codes() ==
        List{"wrong-type@3", "wrong-type@[x]", "wrong-type@5"});
  CHECK(Reading("trainer: {mini_batch_size: 1, training_algorithm: {sgd: }}\nmodel: {layers: }\n")
            .codes() == List{"missing-field@sgd"});
  CHECK(Reading(with_layers("    - relu: {name: a b}\n    - relu: {name: a.7}\n")).codes() ==
        List{"name-with-space@a b", "name-with-space@a.7"});
  // Names with dots are common in other frameworks, and only numbers name outputs.
  CHECK(Reading(with_layers("    - relu: {name: encoder.layer.0.output}\n")).codes() == List{});
}

TEST_CASE("a mapping stands for a list of texts of two words, where they are such") {
  auto const with_rename = [](std::string const& rules) {
    return Reading(with_layers("    - relu:\n") +
                   "  callbacks:\n    - load_model: {dirs: [a], rename: " + rules + "}\n");
  };
  auto const read = with_rename("{\"old.*\": \"*\", bias: shift}");
  CHECK(read.codes() == List{});
  CHECK(read.experiment.callbacks[0].as<callbacks::load_model>().rename ==
        List{"old.* -> *", "bias -> shift"});
  CHECK(with_rename("{old: [new]}").codes() == List{"wrong-type@[new]"});
  CHECK(Reading(with_layers("    - relu:\n") + "  callbacks:\n    - load_model: {dirs: {a: b}}\n")
            .codes() == List{"wrong-type@{a: b}"});
}

TEST_CASE("read_experiment checks readers") {
  auto const with_readers = [](std::string const& readers) {
    return with_layers("    - relu:\n") + "data_reader:\n" + readers;
  };
  CHECK(Reading(with_readers("  - digits: {role: train}\n  - digits: {role: train}\n")).codes() ==
        List{"two-readers@train"});
  CHECK(
      Reading(with_readers("  - digits: {role: train, fields: {sample: {dims: [3]}}}\n")).codes() ==
      List{"data-field-not-given@[3]"});
  CHECK(Reading(with_readers("  - digits: {role: train, fields: {samples: {dims: [3]}}}\n"))
            .codes() == List{"field-dims-differ@[3]"});
  CHECK(Reading(with_readers("  - digits: {role: train, fields: {samples: {dim: 3}}}\n")).codes() ==
        List{"missing-field@samples", "unknown-field@dim"});
  CHECK(Reading(with_readers("  - digits: {num_samples: 0}\n")).codes() ==
        List{"missing-field@digits", "out-of-range@0"});
}

TEST_CASE("read_experiment survives mutations and says something about each place once") {
  std::mt19937 random(11);
  std::string const pieces = "{}[]:,#&*!|>'\"%@-? \n$ab10.";
  int clean = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string text(complete);
    for (unsigned k = 0; k <= random() % 4; ++k) {
      auto const at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = pieces[random() % pieces.size()];
          break;
        case 1:
          text.insert(at, 1, pieces[random() % pieces.size()]);
          break;
        default:
          text.erase(at, 1 + random() % 12);
      }
    }
    Reading const r(text);
    for (auto const& diagnostic : r.report.diagnostics()) {
      REQUIRE(diagnostic.span.known());
      REQUIRE(diagnostic.span.end <= text.size() + 1);
    }
    if (r.report.diagnostics().empty()) {
      ++clean;
      REQUIRE(to_text(Reading(to_text(r.experiment)).experiment) == to_text(r.experiment));
    }
    REQUIRE_NOTHROW(r.rendered());
  }
  CHECK(clean > 20);
}

TEST_CASE("a wrong key at the top hides no other mistake, and a misspelt section is not missed") {
  CHECK(Reading("trainer: {mini_batch_size: 4}\nmodel: {layers: [{nosuchlayer: {}}]}\nfoo: 1\n")
            .codes() ==
        List{"missing-field@trainer", "unknown-type@nosuchlayer", "unknown-field@foo"});
  CHECK(Reading("trainerr: {mini_batch_size: 4}\nmodel: {layers: [{relu: {x: 1}}]}\n").codes() ==
        List{"unknown-field@trainerr", "unknown-field@x"});
}
