// Pass: which child takes which output of a slice or split, shared outputs through identity layers.
#include <algorithm>
#include <unordered_map>

#include "compiler/graph/insert.hpp"
#include "compiler/passes/graph_passes.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

struct Taker {
  LayerId child;
  std::size_t parent;  ///< index among the child's parents
};

/// Edges out of `layer` in order of its children.
std::vector<Taker> takers_of(Graph const& graph, LayerId layer) {
  std::vector<Taker> takers;
  std::unordered_map<LayerId, std::size_t> seen;  // parents of a child already met
  for (auto const child : graph[layer].children) {
    auto& next = seen[child];
    auto const& parents = graph[child].parents;
    while (parents[next].layer != layer) ++next;
    takers.push_back({child, next++});
  }
  return takers;
}

/// A child's name and place for a message.
std::string list_of(Graph const& graph, std::vector<Taker> const& takers) {
  std::string text;
  for (std::size_t i = 0; i < takers.size() && i < 4; ++i)
    text += (i == 0 ? "`" : ", `") + graph[takers[i].child].name + "`";
  return text + (takers.size() > 4 ? ", ..." : "");
}

class Settler {
 public:
  explicit Settler(Compilation& compilation)
      : graph_(compilation.graph),
        report_(compilation.report),
        inserter_(graph_, *compilation.layer_types.find("identity"), "_identity",
                  "insert_identity_layers") {}

  void settle(LayerId layer);

 private:
  Edge& edge(Taker taker) { return graph_[taker.child].parents[taker.parent]; }
  bool name_outputs(LayerId layer, std::vector<Taker> const& takers);

  Graph& graph_;
  Report& report_;
  LayerInserter inserter_;
};

/// Gives unnamed edges their outputs; false after reporting.
bool Settler::name_outputs(LayerId layer, std::vector<Taker> const& takers) {
  std::vector<Taker> unnamed;
  for (auto const taker : takers)
    if (edge(taker).output == Edge::unnamed) unnamed.push_back(taker);
  if (unnamed.empty()) return true;
  auto const pieces = graph_[layer].type->pieces(graph_[layer].declaration.object.get());
  if (pieces == std::optional<std::size_t>(1)) {
    for (auto const taker : unnamed) edge(taker).output = 0;
    return true;
  }
  bool const mixed = unnamed.size() != takers.size();
  // A layer without any piece reports itself later.
  if (pieces != std::optional<std::size_t>(0) && (mixed || (pieces && unnamed.size() > *pieces))) {
    auto const outputs = pieces ? std::to_string(*pieces) + " outputs" : "several outputs";
    auto& diagnostic = report_.add(diagnostics::ambiguous_output, edge(unnamed[0]).span,
                                   {graph_[layer].name, outputs, list_of(graph_, unnamed)});
    auto const& name = graph_[layer].name;
    diagnostic.notes.push_back(mixed ? "other children name theirs, so this one may mean `" + name +
                                           ".0` or the first that nobody names"
                                     : "each may mean the next output, or all of them the same");
    diagnostic.suggestions = {name + ".0", name + ".1"};
    return false;
  }
  for (std::size_t i = 0; i < unnamed.size(); ++i)
    edge(unnamed[i]).output = static_cast<std::uint32_t>(i);
  return true;
}

void Settler::settle(LayerId layer) {
  auto const takers = takers_of(graph_, layer);
  if (!name_outputs(layer, takers)) return;
  std::size_t outputs = 0;
  for (auto const taker : takers) outputs = std::max<std::size_t>(outputs, edge(taker).output + 1);
  std::vector<std::vector<Taker>> by_output(outputs);
  for (auto const taker : takers) by_output[edge(taker).output].push_back(taker);
  std::vector<LayerId> children(outputs);
  for (std::size_t i = 0; i < outputs; ++i) {
    if (by_output[i].size() == 1) children[i] = by_output[i][0].child;
    if (by_output[i].size() < 2) continue;
    children[i] = inserter_.insert(layer);
    auto& identity = graph_[children[i]];
    identity.parents = {{layer, static_cast<std::uint32_t>(i), edge(by_output[i][0]).span}};
    for (auto const taker : by_output[i]) {
      identity.children.push_back(taker.child);
      edge(taker).layer = children[i];
      edge(taker).output = 0;
    }
  }
  graph_[layer].children = std::move(children);
}

}  // namespace

void insert_identity_layers(Compilation& compilation) {
  Settler settler(compilation);
  auto const count = compilation.graph.layers.size();
  for (std::size_t i = 0; i < count; ++i)
    if (has_numbered_outputs(*compilation.graph.layers[i].type)) settler.settle(LayerId(i));
}

}  // namespace lbann::compiler
