// Pass: types of layers under automatic mixed precision.
#include "compiler/passes/graph_passes.hpp"

namespace lbann::compiler {

namespace {

/// The widest type of what `layer` reads.
DataType widest_input(Graph const& graph, GraphLayer const& layer, DataType model) {
  std::optional<DataType> widest;
  for (auto const& parent : layer.parents) {
    auto const type = graph[parent.layer].datatype.value_or(model);
    if (!widest || bytes_of(type) > bytes_of(*widest)) widest = type;
  }
  return widest.value_or(model);
}

}  // namespace

void assign_types(Compilation& compilation) {
  auto const& experiment = compilation.experiment;
  if (!experiment.amp) return;
  for (auto& layer : compilation.graph.layers) {
    if (layer.datatype || layer.type == nullptr) continue;
    auto const wanted = layer.type->in_mixed_precision;
    if (wanted == InMixedPrecision::narrow)
      layer.datatype = experiment.amp;
    else if (wanted == InMixedPrecision::as_inputs && layer.type->family != losses_family)
      if (auto const type = widest_input(compilation.graph, layer, experiment.type);
          type != experiment.type)
        layer.datatype = type;
  }
}

}  // namespace lbann::compiler
