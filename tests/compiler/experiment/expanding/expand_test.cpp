// Modules, repeats, settings and includes: what they become, and which place is blamed.
#include "compiler/experiment/expanding/expand.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "compiler/experiment/expanding/settings.hpp"
#include "tests/compiler/experiment/read_text.hpp"

using namespace lbann;
using namespace lbann::compiler;

namespace {

using Names = std::vector<std::string>;

constexpr std::string_view before =
    "trainer: {mini_batch_size: 4, training_algorithm: {sgd: {max_epochs: 1}}}\n"
    "data_reader: [{digits: {role: train, num_samples: 8}}]\n";

/// The experiment with these layers; `more` are sections before it.
Reading reading(std::string const& layers, std::string const& more = {},
                OpenContext const& context = {}) {
  return Reading(std::string(before) + more + "model:\n  layers:\n" + layers, {}, {}, context);
}

/// `name(parents)` of each layer.
Names layers_of(Reading const& read) {
  Names names;
  for (auto const& layer : read.experiment.layers) {
    auto text = layer.name.text;
    if (layer.parents) {
      text += "(";
      for (auto const& parent : *layer.parents)
        text += (text.back() == '(' ? "" : ", ") + parent.text;
      text += ")";
    }
    if (layer.weights_of) text += " of " + layer.weights_of->text;
    names.push_back(text);
  }
  return names;
}

constexpr std::string_view block =
    "modules:\n"
    "  block:\n"
    "    parameters: {neurons: integer, rate: {type: number, default: 0.5}}\n"
    "    inputs: x\n"
    "    layers:\n"
    "      - fully_connected: {name: fc, num_neurons: \"${neurons}\"}\n"
    "      - relu:\n"
    "      - dropout: {keep_prob: \"${rate}\"}\n"
    "      - sum: {name: out, parents: [dropout_1, x]}\n"
    "      - identity: {name: side, parents: fc}\n"
    "    outputs: out\n";

}  // namespace

TEST_CASE("repeat unrolls with an index that counts from 0") {
  auto const read = reading(
      "    - input: {data_field: samples}\n"
      "    - repeat:\n"
      "        times: ${depth}\n"
      "        index: i\n"
      "        entries:\n"
      "          - fully_connected: {name: \"fc${i}\", num_neurons: \"${width[i]}\"}\n"
      "          - repeat: {times: \"${i}\", entries: [{relu: }]}\n",
      "variables: {depth: 3, width: [8, 4, 2]}\n");
  REQUIRE(read.codes() == Names{});
  CHECK(layers_of(read) == Names{"input_1", "fc0", "fc1", "relu_1", "fc2", "relu_2", "relu_3"});
}

TEST_CASE("calls of a module have names, parents and weights of their own") {
  auto const read = reading(
      "    - input: {data_field: samples}\n"
      "    - call: {module: block, name: a, with: {neurons: 784}}\n"
      "    - call: {module: block, parents: a, with: {neurons: 784, rate: 0.25}}\n"
      "    - call: {module: block, name: c, parents: input_1, weights_of: a, with: {neurons: "
      "784}}\n"
      "    - sum: {parents: [a, block_2, c_side]}\n",
      std::string(block));
  REQUIRE(read.codes() == Names{});
  CHECK(layers_of(read) ==
        Names{"input_1", "a_fc(input_1)", "a_relu_1", "a_dropout_1", "a_out(a_dropout_1, input_1)",
              "a_side(a_fc)", "block_2_fc(a_out)", "block_2_relu_1", "block_2_dropout_1",
              "block_2_out(block_2_dropout_1, a_out)", "block_2_side(block_2_fc)",
              "c_fc(input_1) of a_fc", "c_relu_1 of a_relu_1", "c_dropout_1 of a_dropout_1",
              "c_out(c_dropout_1, input_1) of a_out", "c_side(c_fc) of a_side",
              "sum_1(a_out, block_2_out, c_side)"});
}

TEST_CASE("a layer after a call follows its output") {
  auto const read = reading(
      "    - input: {data_field: samples}\n"
      "    - relu:\n"
      "    - call: {module: block, with: {neurons: 784}}\n"
      "    - tanh:\n"
      "    - call: {module: block, with: {neurons: 784}}\n"
      "  objective_function: [{layer_term: {layer: block_2}}]\n",
      std::string(block));
  REQUIRE(read.codes() == Names{});
  auto const layers = layers_of(read);
  CHECK(layers[2] == "block_1_fc(relu_1)");
  CHECK(layers[7] == "tanh_1(block_1_out)");
  CHECK(layers[8] == "block_2_fc(tanh_1)");
  CHECK(read.experiment.objective[0].layer->text == "block_2_out");
}

TEST_CASE("modules call modules, in repeats too; several outputs are chosen by name or number") {
  auto const read = reading(
      "    - input: {data_field: samples}\n"
      "    - repeat: {times: 2, entries: [{call: {module: outer, name: \"o${index}\"}}]}\n"
      "    - sum: {parents: [o1.0, o1.second]}\n",
      "modules:\n"
      "  inner: {layers: [{relu: {name: r}}]}\n"
      "  outer:\n"
      "    layers:\n"
      "      - call: {module: inner, name: first}\n"
      "      - call: {module: inner, name: second}\n"
      "    outputs: second_r\n"
      "  pair:\n"
      "    layers: [{relu: {name: a}}, {tanh: {name: b}}]\n"
      "    outputs: [a, b]\n");
  CHECK(read.codes() == Names{"unknown-output@o1.second"});
  auto const good = reading(
      "    - input: {data_field: samples}\n"
      "    - repeat: {times: 2, entries: [{call: {module: outer, name: \"o${index}\"}}]}\n"
      "    - call: {module: pair, name: p}\n"
      "    - sum: {parents: [p.0, p.b]}\n",
      "modules:\n"
      "  inner: {layers: [{relu: {name: r}}]}\n"
      "  outer: {layers: [{call: {module: inner, name: x}}, {call: {module: inner, name: y}}]}\n"
      "  pair: {layers: [{relu: {name: a}}, {tanh: {name: b}}], outputs: [a, b]}\n");
  REQUIRE(good.codes() == Names{});
  CHECK(layers_of(good) == Names{"input_1", "o0_x_r(input_1)", "o0_y_r(o0_x_r)", "o1_x_r(o0_y_r)",
                                 "o1_y_r(o1_x_r)", "p_a(o1_y_r)", "p_b", "sum_1(p_a, p_b)"});
}

TEST_CASE("places tell the round and the call") {
  auto const read = reading(
      "    - input: {data_field: samples}\n"
      "    - repeat:\n"
      "        times: 3\n"
      "        index: i\n"
      "        entries:\n"
      "          - call: {module: block, name: \"b${i}\", with: {neurons: \"${i}\"}}\n",
      std::string(block));
  auto const text = read.rendered();
  CAPTURE(text);
  CHECK(text.find("out-of-range") != std::string::npos);
  CHECK(text.find("e.yaml:8:50: error") != std::string::npos);
  CHECK(text.find("in the call `b0` of module `block` at e.yaml:21:13") != std::string::npos);
  CHECK(text.find("in the round of `repeat` with `i` 0 at e.yaml:17:7") != std::string::npos);
}

TEST_CASE("what is wrong in every round is said once") {
  auto const read = reading(
      "    - input: {data_field: samples}\n"
      "    - repeat: {times: 5, entries: [{relu: {slope: 1}}]}\n");
  auto const text = read.rendered();
  CHECK(text.find("and in 4 more like this") != std::string::npos);
  CHECK(text.ends_with("1 error\n"));
}

TEST_CASE("wrong calls and modules are told at their places") {
  auto const codes = [](std::string const& call, std::string const& modules = std::string(block)) {
    return reading("    - input: {data_field: samples}\n    - " + call + "\n", modules).codes();
  };
  CHECK(codes("call: {module: blok, with: {neurons: 1}}") == Names{"unknown-module@blok"});
  CHECK(codes("call: {module: block}") == Names{"missing-field@call"});
  CHECK(codes("call: {module: block, with: {neuron: 1}}") == Names{"unknown-field@neuron"});
  CHECK(codes("call: {module: block, with: {neurons: many}}") == Names{"wrong-type@many"});
  CHECK(codes("call: {modul: block}") == Names{"unknown-field@modul"});
  CHECK(codes("call: {module: block, with: {neurons: 1}, parents: [input_1, input_1]}") ==
        Names{"parent-count@[input_1, input_1]"});
  CHECK(codes("call: {module: block, with: {neurons: 1}, weights_of: other}") ==
        Names{"unknown-call@other"});
  CHECK(codes("call: 3") == Names{"wrong-type@3"});
  CHECK(codes("repeat: {times: -1, entries: []}") == Names{"out-of-range@-1"});
  CHECK(codes("repeat: {times: 1000000000000, entries: [{relu: }]}") ==
        Names{"out-of-range@1000000000000"});
  CHECK(codes("repeat: {times: 2, entries: relu}") == Names{"wrong-type@relu"});
  CHECK(codes("repeat: {entries: []}") == Names{"missing-field@repeat"});
  CHECK(codes("call: {module: m}", "modules: {m: {layers: [{relu: {parents: nothing}}]}}\n") ==
        Names{"unknown-layer@nothing"});
  CHECK(codes("call: {module: m}", "modules: {m: {layers: [{call: {module: m}}]}}\n") ==
        Names{"module-cycle@m"});
  CHECK(codes("call: {module: m}", "modules: {m: {parameters: {p: int}, layers: []}}\n").front() ==
        "not-a-choice@int");
  CHECK(codes("call: {module: m}", "modules: {m: {layer: []}}\n").front() == "unknown-field@layer");
}

TEST_CASE("a million rounds of much is refused") {
  auto const read = reading(
      "    - input: {data_field: samples}\n"
      "    - repeat: {times: 1000, entries: [{repeat: {times: 1000, entries: [{relu: }, {tanh: "
      "}]}}]}\n");
  REQUIRE_FALSE(read.codes().empty());
  CHECK(read.report.diagnostics().front().info->code == "too-large");
}

TEST_CASE("a million faulty rounds are told as sixteen") {
  auto const read = reading(
      "    - input: {data_field: samples}\n"
      "    - repeat: {times: 1000000, index: i, entries: [{fully_connected: {num_neurons: "
      "\"${[3][i]}\"}}]}\n");
  CHECK(read.codes().size() == 16);
}

TEST_CASE("settings hold for layers whose names match, later patterns first") {
  auto const read = reading(
      "    - input: {data_field: samples}\n"
      "    - fully_connected: {name: fc1, num_neurons: 3}\n"
      "    - fully_connected: {name: fc2, num_neurons: 3, has_bias: true}\n"
      "    - fully_connected: {num_neurons: 3}\n"
      "  settings:\n"
      "    \"f*\": {has_bias: false, freeze: true}\n"
      "    \"fc?\": {freeze: false}\n");
  REQUIRE(read.codes() == Names{});
  CHECK_FALSE(read.experiment.layers[1].freeze);
  CHECK(read.experiment.layers[3].freeze);
  CHECK(reading("    - input: {data_field: samples}\n  settings: {\"fc*\": {freeze: true}}\n")
            .codes() == Names{"unmatched-pattern@\"fc*\""});
  CHECK(reading("    - input: {data_field: samples}\n  settings: {\"*\": {slope: 1}}\n").codes() ==
        Names{"unknown-field@slope"});
}

TEST_CASE("matches(pattern, name)") {
  CHECK(matches("*", ""));
  CHECK(matches("a*b*c", "aXbbYc"));
  CHECK(matches("conv?", "conv1"));
  CHECK_FALSE(matches("conv?", "conv"));
  CHECK_FALSE(matches("a*b", "acbd"));
  CHECK(matches("**", "x"));
  CHECK_FALSE(matches("", "x"));
  CHECK_FALSE(matches(std::string(2000, '*') + "b", std::string(2000, 'a')));
}

TEST_CASE("include takes sections and lists from other files") {
  namespace fs = std::filesystem;
  auto const folder = fs::temp_directory_path() / ("lbann_include_" + std::to_string(::getpid()));
  fs::create_directories(folder / "parts");
  auto const write = [&](char const* name, std::string const& text) {
    std::ofstream(folder / name) << text;
  };
  write("common.yaml", "include: parts/more.yaml\nvariables: {width: 5, depth: 2}\n");
  write("parts/more.yaml", "optimizer: {sgd: {learn_rate: 0.5}}\n");
  write("parts/head.yaml",
        "- relu: {name: r}\n- fully_connected: {num_neurons: \"${width}\", nam: f}\n");
  write("loop.yaml", "include: loop.yaml\n");
  auto const read = reading("    - input: {data_field: samples}\n    - include: parts/head.yaml\n",
                            "include: common.yaml\nvariables: {width: 7}\n", {"", folder.string()});
  CHECK(read.codes() == Names{"unknown-field@nam"});
  CHECK(read.rendered().find("parts/head.yaml:2:46: error") != std::string::npos);
  CHECK(read.experiment.optimizer);
  CHECK(
      reading("    - input: {data_field: samples}\n", "include: none.yaml\n", {"", folder.string()})
          .codes() == Names{"include-file@none.yaml"});
  CHECK(
      reading("    - input: {data_field: samples}\n", "include: loop.yaml\n", {"", folder.string()})
          .codes() == Names{"include-file@loop.yaml"});

  // A file of another syntax than the one that names it.
  write("sizes.toml", "[variables]\nwidth = 3\nwidht = 4\n[optimizer.sgd]\nlearn_rte = 0.5\n");
  auto const mixed = reading("    - input: {data_field: samples}\n", "include: sizes.toml\n",
                             {"", folder.string()});
  CHECK(mixed.rendered().find("sizes.toml:5:1: error[unknown-field]") != std::string::npos);
  CHECK(reading("    - input: {data_field: samples}\n", "include: a.prototext\n",
                {"", folder.string()})
            .codes() == Names{"include-file@a.prototext"});
  fs::remove_all(folder);
}

TEST_CASE("variables and modules that nothing uses are noted") {
  auto const read =
      reading("    - input: {data_field: samples}\n    - relu: {enabled: \"${a.b}\"}\n",
              "variables: {a: {b: true, c: 1}, d: 2}\nmodules: {m: {layers: []}}\n");
  CHECK(read.codes() == Names{"no-effect@d", "no-effect@m"});
  CHECK_FALSE(read.report.has_errors());
}

TEST_CASE("what only other values of a variable use is not noted") {
  auto const module = [](std::string const& name, std::string const& entry) {
    return "  " + name + ": {layers: [" + entry + "]}\n";
  };
  auto const codes = [&](std::string const& layers,
                         std::string const& variables = "{flag: false}") {
    return reading("    - input: {data_field: samples}\n" + layers,
                   "variables: " + variables + "\nmodules:\n" + module("a", "relu: ") +
                       module("b", "call: {module: a}"))
        .codes();
  };
  // A switch, a repeat and a choice by a variable; b calls a.
  CHECK(codes("    - call: {module: b, enabled: \"${flag}\"}\n") == Names{});
  CHECK(codes("    - repeat: {times: \"${n}\", entries: [call: {module: b}]}\n", "{n: 0}") ==
        Names{});
  CHECK(codes("    - repeat: {times: 2, enabled: \"${flag}\", entries: [call: {module: b}]}\n") ==
        Names{});
  CHECK(codes("    - call: {module: \"${which}\"}\n", "{which: a}") == Names{});
  CHECK(codes("    - call: {module: \"${'b' if flag else 'a'}\"}\n") == Names{});
  // No variable makes these call b.
  CHECK(codes("    - call: {module: a, enabled: \"${flag}\"}\n") == Names{"no-effect@b"});
  CHECK(codes("    - call: {module: b, enabled: false}\n    - relu: {enabled: \"${flag}\"}\n") ==
        Names{"no-effect@a", "no-effect@b"});
  CHECK(codes("    - relu: {enabled: \"${flag}\"}\n") == Names{"no-effect@a", "no-effect@b"});

  // Variables of a choice that is not taken and of a module that is not called; `p` is a parameter.
  auto const variables = [&](std::string const& layers) {
    return reading("    - input: {data_field: samples}\n" + layers,
                   "variables: {flag: false, p: 3, q: 4}\n"
                   "modules: {m: {parameters: {p: {type: integer, default: 2}}, layers: "
                   "[fully_connected: {num_neurons: \"${p * q}\"}]}}\n")
        .codes();
  };
  CHECK(variables("    - call: {module: m, enabled: \"${flag}\"}\n") == Names{"no-effect@p"});
  CHECK(variables("    - fully_connected: {num_neurons: \"${p if flag else q}\"}\n") ==
        Names{"no-effect@m"});
}

TEST_CASE("names in modules that nothing calls are checked") {
  auto const read = [](std::string const& module, std::string const& more = {},
                       std::string const& layers = {}) {
    return reading("    - input: {data_field: samples}\n" + layers,
                   "variables: {width: 3}\nmodules:\n  m: " + module + "\n" + more);
  };
  auto const codes = [&](std::string const& module, std::string const& more = {}) {
    Names names;
    for (auto const& code : read(module, more).codes())
      if (!code.starts_with("no-effect@")) names.push_back(code);
    return names;
  };
  auto const layer = [](std::string const& fields) {
    return "{parameters: {depth: integer}, layers: [fully_connected: {" + fields + "}]}";
  };
  CHECK(codes(layer("num_neurons: \"${width * depth}\"")) == Names{});
  CHECK(codes(layer("num_neurons: \"${widht * depth}\"")) == Names{"unknown-variable@widht"});
  CHECK(read(layer("num_neurons: \"${widht}\"")).rendered().find("did you mean `width`") !=
        std::string::npos);
  CHECK(codes(layer("num_neurons: \"${dept}\"")) == Names{"unknown-variable@dept"});
  CHECK(codes(layer("num_neurons: \"${1 + }\"")) == Names{"expression-syntax@}"});
  CHECK(codes(layer("num_neurons: \"${depth\"")) == Names{"expression-syntax@${"});
  CHECK(codes(layer("num_neuron: 3")) == Names{"unknown-field@num_neuron"});
  CHECK(codes(layer("num_neurons: many")) == Names{"wrong-type@many"});
  CHECK(codes(layer("num_neurons: 0")) == Names{"out-of-range@0"});
  CHECK(codes("{layers: [rleu: ]}") == Names{"unknown-type@rleu"});
  // Defaults see variables only, and have the type of their parameter.
  auto const parameter = [](std::string const& text) {
    return "{parameters: {a: integer, b: " + text + "}, layers: [relu: ]}";
  };
  CHECK(codes(parameter("{type: integer, default: \"${width}\"}")) == Names{});
  CHECK(codes(parameter("{type: integer, default: \"${widht}\"}")) ==
        Names{"unknown-variable@widht"});
  CHECK(codes(parameter("{type: integer, default: \"${a}\"}")) == Names{"unknown-variable@a"});
  CHECK(codes(parameter("{type: integer, default: much}")) == Names{"wrong-type@much"});
  // Repeats have an index, which nothing outside of them sees.
  auto const repeat = [](std::string const& entry, std::string const& more = {}) {
    return "{layers: [repeat: {times: 2, index: i, entries: [" + entry + "]}" + more + "]}";
  };
  CHECK(codes(repeat("fully_connected: {num_neurons: \"${i + width}\"}")) == Names{});
  CHECK(codes(repeat("fully_connected: {num_neurons: \"${j}\"}")) == Names{"unknown-variable@j"});
  CHECK(codes(repeat("relu: ", ", fully_connected: {num_neurons: \"${i}\"}")) ==
        Names{"unknown-variable@i"});
  CHECK(codes("{layers: [reshape: {dims: [repeat: {times: 2, entries: [\"${indxe}\"]}]}]}") ==
        Names{"unknown-variable@indxe"});
  CHECK(codes("{layers: [call: {module: n}]}") == Names{"unknown-module@n"});
  CHECK(codes("{layers: [call: {module: n, with: {p: \"${widht}\"}}]}",
              "  n: {parameters: {p: integer}, layers: [relu: ]}\n") ==
        Names{"unknown-variable@widht"});
  CHECK(codes("{layers: [relu: {x-own: \"${anything}\"}]}") == Names{});
  // A default that no call leaves to itself.
  auto const given = read(parameter("{type: integer, default: \"${widht}\"}"), {},
                          "    - call: {module: m, with: {a: 1, b: 2}}\n");
  CHECK(given.codes() == Names{"unknown-variable@widht"});
}

TEST_CASE("names in what no round and no choice reaches are checked") {
  auto const codes = [](std::string const& layers) {
    return reading("    - input: {data_field: samples}\n" + layers, "variables: {width: 3}\n")
        .codes();
  };
  for (std::string const repeat : {"times: 0", "times: 5, enabled: false"}) {
    CAPTURE(repeat);
    auto const entries = [&](std::string const& layer) {
      return codes("    - repeat: {" + repeat + ", index: i, entries: [" + layer + "]}\n");
    };
    CHECK(entries("fully_connected: {num_neurons: \"${i + width}\"}") == Names{});
    CHECK(entries("fully_connected: {num_neurons: \"${widht}\"}") ==
          Names{"unknown-variable@widht"});
    CHECK(entries("fully_connected: {num_neuron: \"${i}\"}") ==
          Names{"no-effect@width", "unknown-field@num_neuron"});
    CHECK(entries("rleu: ") == Names{"no-effect@width", "unknown-type@rleu"});
    CHECK(entries("repeat: {times: 2, entries: [reshape: {dims: [\"${j}\"]}]}") ==
          Names{"unknown-variable@j"});
  }
  CHECK(codes("    - fully_connected: {num_neurons: \"${width if true else widht}\"}\n") ==
        Names{"unknown-variable@widht"});
  CHECK(codes("    - fully_connected: {num_neurons: \"${widht if false else width}\"}\n") ==
        Names{"unknown-variable@widht"});
  CHECK(codes("    - relu: {enabled: \"${true or widht > 3}\"}\n") ==
        Names{"unknown-variable@widht"});
  CHECK(codes("    - fully_connected: {num_neurons: \"${env:NOT_SET if false else 3}\"}\n") ==
        Names{"no-effect@width"});
}

TEST_CASE("the environment is read where the text says so") {
  ::setenv("LBANN_TEST_NEURONS", "12", 1);
  auto const read = reading(
      "    - input: {data_field: samples}\n"
      "    - fully_connected: {num_neurons: \"${env:LBANN_TEST_NEURONS}\"}\n");
  CHECK(read.codes() == Names{});
  ::unsetenv("LBANN_TEST_NEURONS");
  CHECK(reading("    - input: {data_field: samples}\n"
                "    - fully_connected: {num_neurons: \"${env:LBANN_TEST_NEURONS}\"}\n")
            .codes() == Names{"unset-environment@env:LBANN_TEST_NEURONS"});
}
