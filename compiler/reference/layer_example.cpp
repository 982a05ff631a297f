// Examples of layers: an experiment around them, compiled to a graph whose text tells the rest.
#include "compiler/reference/layer_example.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/compile.hpp"
#include "compiler/declarations/value_text.hpp"
#include "compiler/graph/graph.hpp"

namespace lbann::compiler {

namespace {

struct ExampleInput {
  std::string name;
  std::string dims;  ///< `3, 8, 8`
};

/// `x=3x8x8 y=3` taken apart.
std::vector<ExampleInput> inputs_of(std::string_view text) {
  std::vector<ExampleInput> inputs;
  while (!text.empty()) {
    auto const end = std::min(text.find(' '), text.size());
    auto const word = text.substr(0, end);
    auto const equals = word.find('=');
    ExampleInput input{std::string(word.substr(0, equals)), {}};
    for (auto const c : word.substr(equals + 1))
      c == 'x' ? void(input.dims += ", ") : input.dims.push_back(c);
    inputs.push_back(std::move(input));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return inputs;
}

std::vector<ExampleInput> inputs_of(LayerType const& type) {
  if (!type.example.entries.empty()) return inputs_of(type.example.inputs);
  if (type.expression == nullptr) return {};
  return inputs_of(type.parents.least == 1 ? "x=3x4" : "x=3x4 y=3x4");
}

/// How weights begin: the initializer with its fields, what it is told by the layer.
std::string initial_words(GraphWeights const& weights) {
  auto const& initializer = weights.initializer;
  auto const record = initializer.type->record(initializer.object.get());
  auto text = record.type;
  for (auto const& [field, value] : record.fields)
    text += fmt::format(", {} {}", field, value_text(value));
  if (weights.fan_in > 0)
    text += fmt::format(", fan_in {}, fan_out {}", weights.fan_in, weights.fan_out);
  return weights.optimizer ? text : text + "; not trained";
}

std::string indented(std::string_view lines) {
  std::string text = "    ";
  for (auto const c : lines) {
    text += c;
    if (c == '\n') text += "    ";
  }
  return text + "\n";
}

}  // namespace

std::string example_entries(LayerType const& type) {
  if (!type.example.entries.empty() || type.expression == nullptr)
    return std::string(type.example.entries);
  std::string text(type.parents.least == 1 ? "parents: x" : "parents: [x, y]");
  for (auto const& field : type.declaration.fields)
    if (field.presence == Presence::required) text += fmt::format(", {}: 2", field.name);
  return fmt::format("- {}: {{{}}}", type.declaration.name, text);
}

std::string example_experiment(LayerType const& type, std::string_view objective_layer) {
  std::string names, dims, layers;
  for (auto const& input : inputs_of(type)) {
    names += (names.empty() ? "" : ", ") + input.name;
    dims += fmt::format("{}{}: {{dims: [{}]}}", dims.empty() ? "" : ", ", input.name, input.dims);
    layers += fmt::format("    - input: {{name: {0}, data_field: {0}}}\n", input.name);
  }
  layers += indented(example_entries(type));
  std::string objective;
  if (!objective_layer.empty()) {
    layers += fmt::format("    - l2_norm2: {{name: objective, parents: {}}}\n", objective_layer);
    objective = "  objective_function:\n    - layer_term: {layer: objective}\n";
  }
  std::string const weights =
      type.example.weights.empty()
          ? std::string()
          : fmt::format("  weights:\n    - name: {}\n", type.example.weights);
  return fmt::format(
      "trainer: {{mini_batch_size: 4}}\n"
      "data_reader:\n"
      "  - synthetic: {{role: train, num_samples: 8, synth_dimensions: [1, 28, 28], data_fields: "
      "[{}], fields: {{{}}}}}\n"
      "model:\n  num_epochs: {}\n{}  layers:\n{}{}"
      "optimizer: {{sgd: {{learn_rate: 0.1}}}}\n",
      names, dims, objective.empty() ? 0 : 1, weights, layers, objective);
}

CompiledExample compile_example(LayerType const& type, Declarations const& declarations) {
  CompiledExample example;
  CompileOptions options;
  options.name = std::string(type.declaration.name) + ".yaml";
  options.text = example_experiment(type);
  options.emit = "graph";
  auto const compiled = compile(options, declarations);
  for (auto const& diagnostic : compiled.report.diagnostics())
    example.diagnostics.push_back(diagnostic.message);
  auto const graph = parse_graph(compiled.dump, declarations.layers, declarations.initializers,
                                 declarations.optimizers);
  if (!graph.good()) {
    example.diagnostics.push_back(graph.problem().message);
    return example;
  }
  auto const inputs = inputs_of(type);
  for (auto const& input : inputs) {
    auto const& layers = graph.value().layers;
    auto const found = std::ranges::find(layers, input.name, &GraphLayer::name);
    if (found != layers.end())
      example.tensors.push_back({"input", input.name, found->outputs.front(), {}});
  }
  auto const& layers = graph.value().layers;
  for (auto const& layer : layers) {
    if (layer.type != &type && layer.declaration.type != &type.declaration) continue;
    for (std::size_t o = 0; o < layer.outputs.size(); ++o)
      example.tensors.push_back(
          {"output",
           layer.outputs.size() > 1 ? fmt::format("{}.{}", layer.name, o) : layer.name,
           layer.outputs[o],
           {}});
    for (auto const id : layer.weights) {
      auto const& weights = graph.value().weights[id.index()];
      example.tensors.push_back({"weights", weights.name, weights.dims, initial_words(weights)});
    }
  }
  return example;
}

}  // namespace lbann::compiler
