// Pass: evaluation layers for objective terms and metrics, as LBANN appends them.
#include "compiler/graph/insert.hpp"
#include "compiler/passes/graph_passes.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

void insert_evaluation_layers(Compilation& compilation) {
  auto& graph = compilation.graph;
  LayerInserter inserter(graph, *compilation.layer_types.find("evaluation"), "_eval",
                         "insert_evaluation_layers");
  auto evaluate = [&](LayerId layer, Span span) {
    auto const* type = graph[layer].type;
    if (type->children.most == 0)
      compilation.report.add(diagnostics::parent_without_output, span,
                             {graph[layer].name, "evaluation"});
    auto const evaluation = inserter.insert(layer);
    graph[evaluation].span = span;
    graph[evaluation].declaration.span = span;
    graph[evaluation].declaration.type_span = span;
    graph[evaluation].parents = {{layer, has_numbered_outputs(*type) ? Edge::unnamed : 0, span}};
    graph[layer].children.push_back(evaluation);
    return evaluation;
  };
  for (auto const& term : graph.objective)
    graph.objective_terms.push_back(
        {evaluate(term.layer, term.span), term.scale_factor, term.span});
  graph.objective.clear();
  for (auto& metric : graph.metrics) metric.evaluation = evaluate(metric.layer, metric.span);
}

}  // namespace lbann::compiler
