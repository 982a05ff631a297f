// Pass: entry point `predict`, what layers compute of samples, without objective and metrics.
#include "compiler/graph/predicted_layers.hpp"
#include "compiler/lowering/copy_entry.hpp"
#include "compiler/lowering/lowering_passes.hpp"

namespace lbann::compiler {

void emit_prediction(Compilation& compilation) {
  constexpr std::string_view pass = "emit_prediction";
  auto& program = compilation.program;
  auto const& graph = compilation.graph;
  auto& state = compilation.state;
  auto const predicted = predicted_layers(graph);
  for (std::size_t layer = 0; layer < graph.layers.size(); ++layer) {
    if (!graph.layers[layer].inserted_by.empty()) continue;
    auto const& outputs = state.evaluated_outputs[layer];
    for (std::size_t i = 0; i < outputs.size(); ++i)
      state.model_outputs.push_back({graph.layers[layer].name, static_cast<std::int64_t>(i),
                                     static_cast<bool>(predicted[layer]), outputs[i]});
  }
  std::vector<TensorId> values;
  for (auto const& output : state.model_outputs) values.push_back(output.tensor);
  auto const wanted = needed_for(program, *program.entry_point("evaluate"), values);
  EntryCopy copy{"evaluate", std::string(predict_entry), std::string(pass)};
  copy.wanted = [&](Instruction const& instruction) { return wanted.contains(&instruction); };
  copy_entry(program, copy);
  WidenedTensors widened(program, copy.to, pass);
  for (auto& output : state.model_outputs)
    if (auto const found = copy.renamed.find(output.tensor); found != copy.renamed.end())
      output.tensor = widened.of(found->second);
}

}  // namespace lbann::compiler
