// One layer on inputs of given dims.
#include "tests/compiler/layers/layer_case.hpp"

#include <sstream>

#include "compiler/lowering/lowering_passes.hpp"
#include "compiler/passes/graph_passes.hpp"
#include "tests/support/graph_fixture.hpp"

namespace lbann::compiler {

namespace {

std::string graph_text(std::string_view declaration, std::size_t inputs, std::size_t children) {
  std::string text, parents, taken;
  for (std::size_t i = 0; i < inputs; ++i) {
    auto const x = "x" + std::to_string(i);
    text += "layer " + x + ": input {data_field: \"" + x + "\"} -> l\n";
    parents += (i == 0 ? "" : ", ") + x;
  }
  std::string dummies;
  for (std::size_t i = 0; i < children; ++i) {
    auto const d = "d" + std::to_string(i);
    dummies += "layer " + d + ": dummy (l:" + std::to_string(i) + ")\n";
    taken += (i == 0 ? "" : ", ") + d;
  }
  constexpr std::string_view freeze = " freeze";
  bool const frozen = declaration.ends_with(freeze);
  if (frozen) declaration.remove_suffix(freeze.size());
  text += "layer l: " + std::string(declaration) + (inputs > 0 ? " (" + parents + ")" : "");
  text += children > 0 ? " -> " + taken : "";
  return text + (frozen ? " freeze\n" : "\n") + dummies;
}

/// Lines up to the one that writes the objective.
std::string of_layer(std::string const& instructions) {
  std::istringstream lines(instructions);
  std::string text, line;
  while (std::getline(lines, line) && line.find("objective") == std::string::npos)
    text += line + "\n";
  return text;
}

}  // namespace

LayerCase run_layer(std::string_view declaration, std::vector<Dims> const& inputs,
                    std::size_t children, DataType type) {
  GraphFixture fixture(graph_text(declaration, inputs.size(), children), type);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    give_field(fixture.experiment, "x" + std::to_string(i), inputs[i]);
  LayerCase result;
  infer_shapes(fixture.compilation);
  if (!fixture.report.has_errors()) resolve_weights(fixture.compilation);
  result.codes = fixture.codes();
  for (auto const& diagnostic : fixture.report.diagnostics())
    result.messages.push_back(diagnostic.message);
  if (fixture.report.has_errors()) return result;
  lower_to_operators(fixture.compilation);
  result.outputs = fixture.compilation.graph.layers[inputs.size()].outputs;
  std::istringstream graph(to_text(fixture.compilation.graph));
  for (std::string line; std::getline(graph, line);)
    if (line.starts_with("weights ")) result.weights += line.substr(8) + "\n";
  result.train = of_layer(fixture.instructions("train"));
  result.evaluate = of_layer(fixture.instructions("evaluate"));
  if (auto const fault = verify(fixture.compilation.program)) result.messages.push_back(*fault);
  result.program = std::move(fixture.compilation.program);
  return result;
}

}  // namespace lbann::compiler
