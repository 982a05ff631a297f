// Experiments written out again: what is left out, how texts are quoted, and that the meaning
// stays.
#include <doctest/doctest.h>

#include "compiler/compile.hpp"
#include "compiler/export/toml.hpp"
#include "compiler/export/yaml.hpp"
#include "compiler/source/read_toml.hpp"
#include "compiler/source/read_yaml.hpp"
#include "tests/support/expected.hpp"

using namespace lbann;
using namespace lbann::compiler;

namespace {

Declarations const& export_types() {
  static Declarations const instance;
  return instance;
}

Compiled run(std::string text, std::string name, std::string emit, bool allow = false) {
  CompileOptions options;
  options.name = std::move(name);
  options.text = std::move(text);
  options.emit = std::move(emit);
  options.allow_unbuilt = allow;
  return compile(options, export_types());
}

char const small_experiment[] = R"(
variables: {width: 4}
trainer:
  mini_batch_size: 8
  random_seed: 42
  training_algorithm: {sgd: {max_epochs: 0}}
data_reader:
  - synthetic: {role: train, num_samples: 16, synth_dimensions: ["${width}", 6], enabled: true}
model:
  layers:
    - input: {name: x, data_field: samples}
    - relu: {enabled: false}
    - relu:
    - slice: {name: parts, slice_points: [0, 2, 4]}
    - relu: {name: "b", parents: parts.1}
    - sum: {name: both, parents: [b, parts.0]}
    - fully_connected: {name: y, num_neurons: "${width // 2}", has_bias: true, weights: [w]}
    - l2_norm2: {name: cost, parents: y}
  weights:
    - {name: w, initializer: {constant_initializer: {value: 1.0e-7}}}
  objective_function:
    - layer_term: {layer: cost, scale_factor: 1.0}
  metrics:
    - layer_metric: {name: "100% \"on\"", layer: cost}
optimizer:
  sgd: {learn_rate: 0.1, momentum: 0.0}
)";

/// A tree without places.
std::string shape(compiler::Node const& node) {
  if (node.kind == compiler::Node::Kind::null) return "~";
  if (node.kind == compiler::Node::Kind::scalar) return (node.quoted ? "'" : "") + node.text;
  std::string text = node.kind == compiler::Node::Kind::sequence ? "[" : "{";
  for (auto const& child : node.items) text += shape(child) + ",";
  for (auto const& entry : node.entries) text += entry.key + ":" + shape(entry.value) + ",";
  return text;
}

compiler::Node quoted(std::string value) {
  compiler::Node node;
  node.kind = compiler::Node::Kind::scalar;
  node.quoted = true;
  node.text = std::move(value);
  return node;
}

}  // namespace

TEST_CASE("export leaves out what defaults and order tell") {
  auto const emitted = run(small_experiment, "e.yaml", "yaml");
  REQUIRE_FALSE(emitted.report.has_errors());
  CHECK(tests::difference("tests/compiler/export/export.expected",
                          "export leaves out what defaults and order tell emitted dump",
                          emitted.dump) == "");
}

TEST_CASE("export keeps the meaning in every syntax") {
  auto const first = run(small_experiment, "e.yaml", "");
  REQUIRE(first.plan);
  for (std::string const syntax : {"yaml", "toml"}) {
    auto const emitted = run(small_experiment, "e.yaml", syntax);
    auto const again = run(emitted.dump, "e." + syntax, "");
    REQUIRE_MESSAGE(again.plan, emitted.dump);
    CHECK(meaning_digest(*again.plan) == meaning_digest(*first.plan));
    CHECK(run(emitted.dump, "e." + syntax, syntax).dump == emitted.dump);
  }
}

TEST_CASE("to_yaml and to_toml quote what would be read as something else") {
  for (std::string const value :
       {"",     "plain", "two words", "yes",  "null",       "1",  "1e3",  "- x",
        "a: b", "#c",    "\"q\"",     "\\",   "line\nline", "\t", "\x01", "\xc3\xa4",
        "{x}",  "~",     "0x1f",      "true", "a#b",        "a,b"}) {
    CAPTURE(value);
    compiler::Node root;
    root.kind = compiler::Node::Kind::mapping;
    root.entries.push_back({"k", {}, quoted(value)});
    compiler::Node list;
    list.kind = compiler::Node::Kind::sequence;
    list.items = {quoted(value), quoted("x")};
    root.entries.push_back({"l", {}, list});
    Report report;
    Budget budget;
    auto const yaml = read_yaml({"t.yaml", to_yaml(root)}, 0, budget, report);
    REQUIRE(yaml);
    CHECK(yaml->root.find("k")->value.text == value);
    CHECK(yaml->root.find("l")->value.items.at(0).text == value);
    auto const toml = read_toml({"t.toml", to_toml(root)}, 0, report);
    REQUIRE(toml);
    CHECK(shape(toml->root) == shape(root));
  }
}

TEST_CASE("entries that repeat themselves are written once") {
  std::string layers = "    - input: {name: x0, data_field: samples}\n";
  for (int i = 1; i <= 4; ++i) {
    auto const n = std::to_string(i), before = std::to_string(i - 1);
    layers += "    - fully_connected: {name: f" + n + ", num_neurons: 24, weights: w" + n + "}\n";
    layers += "    - relu: {name: r" + n + "_5}\n";
    layers += "    - sum: {name: x" + n + ", parents: [r" + n + "_5, x" + before + "]}\n";
  }
  std::string const head =
      "trainer: {mini_batch_size: 8, training_algorithm: {sgd: {max_epochs: 0}}}\n"
      "data_reader:\n  - synthetic: {role: train, num_samples: 16, synth_dimensions: [24]}\n"
      "model:\n  layers:\n";
  std::string const weights =
      "  weights:\n    - {name: w1}\n    - {name: w2}\n    - {name: w3}\n    - {name: w4}\n";
  auto const text = head + layers + weights;
  auto const emitted = run(text, "e.yaml", "yaml");
  REQUIRE_FALSE(emitted.report.has_errors());
  CHECK(emitted.dump.find(R"(
    - repeat:
        times: 4
        index: i
        entries:
          - fully_connected: {name: "f${i + 1}", num_neurons: 24, weights: {name: "w${i + 1}"}}
          - relu: {name: "r${i + 1}_5"}
          - sum: {name: "x${i + 1}", parents: ["r${i + 1}_5", "x${i}"]}
)") != std::string::npos);
  auto const meaning = [](std::string const& of) {
    auto const told = run(of, "e.yaml", "plan-text").dump;
    return told.substr(0, told.find('\n'));
  };
  REQUIRE(meaning(text).find("meaning") != std::string::npos);
  CHECK(meaning(emitted.dump) == meaning(text));
  CHECK(run(text, "e.yaml", "toml").dump.find("repeat") == std::string::npos);
}

TEST_CASE("outputs of slices are written by number, windows by one number") {
  auto const emitted = run(R"(
trainer { mini_batch_size: 2 }
data_reader { reader { name: "synthetic" role: "train" num_samples: 8 synth_dimensions: "2 6 6" } }
model {
  layer { name: "x" input { data_field: "samples" } }
  layer { name: "s" parents: "x" children: "a" children: "b" slice { slice_points: [0, 1, 2] } }
  layer { name: "b" parents: "s" relu {} }
  layer { name: "a" parents: "s" weights: "k" convolution { num_dims: 2 out_channels: 1
    kernel_size: [3, 3] stride: [1, 1] padding: [0, 0] dilation: [1, 1] } }
  layer { name: "c" parents: "a b" sum {} }
  layer { name: "p" parents: "c" weights: "l" convolution { num_dims: 2 out_channels: 1
    kernel_size: [3, 2] } }
  weights { name: "l" } weights { name: "k" }
})",
                           "e.prototext", "yaml");
  REQUIRE_FALSE(emitted.report.has_errors());
  for (auto const* line :
       {"- slice: {name: s, slice_points: [0, 1, 2]}\n", "- relu: {name: b, parents: s.1}\n",
        "- convolution: {name: a, parents: s.0, out_channels: 1, kernel_size: 3, weights: {name: "
        "k}}\n",
        "- convolution: {name: p, out_channels: 1, kernel_size: [3, 2], weights: {name: l}}\n"})
    CHECK_MESSAGE(emitted.dump.find(line) != std::string::npos, line, emitted.dump);
}

TEST_CASE("long lists are wrapped, long entries stand in blocks") {
  compiler::Node list;
  list.kind = compiler::Node::Kind::sequence;
  for (int i = 0; i < 60; ++i) {
    auto number = quoted(std::to_string(i));
    number.quoted = false;
    list.items.push_back(number);
  }
  compiler::Node body;
  body.kind = compiler::Node::Kind::mapping;
  body.entries = {{"name", {}, quoted("a")}, {"values", {}, list}};
  compiler::Node entry;
  entry.kind = compiler::Node::Kind::mapping;
  entry.entries.push_back({"slice", {}, body});
  compiler::Node layers;
  layers.kind = compiler::Node::Kind::sequence;
  layers.items.push_back(entry);
  compiler::Node root;
  root.kind = compiler::Node::Kind::mapping;
  root.entries.push_back({"layers", {}, layers});
  auto const written = to_yaml(root);
  for (std::size_t at = 0; at < written.size();) {
    auto const end = written.find('\n', at);
    CHECK(end - at <= 100);
    at = end + 1;
  }
  Report report;
  Budget budget;
  auto const again = read_yaml({"t.yaml", written}, 0, budget, report);
  REQUIRE(again);
  CHECK(again->root.find("layers")
            ->value.items[0]
            .entries[0]
            .value.find("values")
            ->value.items.size() == 60);
}

TEST_CASE("the picture shows inserted layers apart, with their purpose") {
  auto const drawn = run(small_experiment, "e.yaml", "dot");
  REQUIRE_FALSE(drawn.report.has_errors());
  CHECK(drawn.dump.starts_with("digraph"));
  CHECK(drawn.dump.find("inserted by insert_evaluation_layers:") != std::string::npos);
  CHECK(drawn.dump.find("[4, 6]") != std::string::npos);
  CHECK(drawn.dump.find("objective") != std::string::npos);
  CHECK(drawn.dump.find("label=\"1\"") != std::string::npos);
}

TEST_CASE(
    "the picture has a frame for each call of a module, within that of the call it stands in") {
  auto const drawn = run(R"(
trainer: {mini_batch_size: 2, training_algorithm: {sgd: {max_epochs: 1}}}
data_reader: [synthetic: {role: train, num_samples: 4, synth_dimensions: [3], num_labels: 2}]
modules:
  pair: {layers: [relu: {name: r}, tanh: {name: t}]}
  block:
    layers:
      - fully_connected: {name: fc, num_neurons: 3, x-calls: mine}
      - call: {module: pair, name: last}
model:
  layers:
    - input: {name: x, data_field: samples}
    - call: {module: block, name: one}
    - call: {module: block, name: two}
    - l2_norm2: {name: loss}
  objective_function: [layer_term: {layer: loss}]
optimizer: {sgd: {learn_rate: 0.1}}
)",
                         "e.yaml", "dot");
  REQUIRE_FALSE(drawn.report.has_errors());
  auto const at = [&](std::string_view text) {
    auto const found = drawn.dump.find(text);
    REQUIRE_MESSAGE(found != std::string::npos, std::string(text));
    return found;
  };
  CHECK(at("\\nx\\n") < at("subgraph \"cluster/one\""));
  CHECK(at("subgraph \"cluster/one\"") < at("one_fc"));
  CHECK(at("one_fc") < at("subgraph \"cluster/one/last\""));
  CHECK(at("subgraph \"cluster/one/last\"") < at("one_last_t"));
  CHECK(at("one_last_t") < at("subgraph \"cluster/two\""));
  CHECK(at("two_last_r") > at("subgraph \"cluster/two/last\""));
  CHECK(drawn.dump.find("mine") == std::string::npos);
}

TEST_CASE("plan-text tells what lies beside the program") {
  auto const told = run(small_experiment, "e.yaml", "plan-text");
  REQUIRE(told.plan);
  for (auto const* line :
       {"mini_batch_size 8\n", "training sgd no training\n", "data train synthetic",
        "layer cost_eval evaluation (cost", "weights w [2, 12] sgd\n"})
    CHECK_MESSAGE(told.dump.find(line) != std::string::npos, line);
}
