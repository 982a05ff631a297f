// Edges between layers, from the names the user wrote on either side.
#include "compiler/graph/connect.hpp"

#include <charconv>
#include <unordered_set>

#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

void report_unknown_layer(Graph const& graph, Name const& name, Report& report) {
  // Resemblance is looked for in all names: only for the first of them.
  constexpr std::size_t enough = 64;
  if (report.diagnostics().size() >= enough) {
    report.add(diagnostics::unknown_layer, name.span, {name.text});
    return;
  }
  std::vector<std::string_view> accepted;
  for (auto const& layer : graph.layers) accepted.push_back(layer.name);
  report.add(diagnostics::unknown_layer, name.span, {name.text}).suggestions =
      nearest(name.text, accepted);
}

/// The output `name` stands for: a layer, or `layer.number`.
std::optional<Edge> find_output(Graph const& graph, LayerNames const& names, Name const& name,
                                Report& report) {
  auto edge_of = [&](LayerId id, std::uint32_t output) { return Edge{id, output, name.span}; };
  if (auto const found = names.find(name.text); found != names.end()) {
    auto const* type = graph[found->second].type;
    return edge_of(found->second, type && has_numbered_outputs(*type) ? Edge::unnamed : 0);
  }
  auto const dot = name.text.rfind('.');
  auto const found = dot == std::string::npos
                         ? names.end()
                         : names.find(std::string_view(name.text).substr(0, dot));
  if (found == names.end()) {
    report_unknown_layer(graph, name, report);
    return std::nullopt;
  }
  std::uint32_t output = 0;
  auto const* first = name.text.data() + dot + 1;
  auto const* last = name.text.data() + name.text.size();
  auto const [end, failure] = std::from_chars(first, last, output);
  auto const* type = graph[found->second].type;
  auto const pieces =
      type ? type->pieces(graph[found->second].declaration.object.get()) : std::nullopt;
  // No layer that can be written has as many outputs as this limit.
  constexpr std::uint32_t limit = 1 << 20;
  bool const numbered = type == nullptr || has_numbered_outputs(*type);
  if (failure != std::errc{} || end != last || output >= limit || (!numbered && output != 0) ||
      (pieces && output >= *pieces)) {
    report.add(diagnostics::unknown_output, name.span,
               {std::string(found->first), std::string(first, last)});
    return std::nullopt;
  }
  return edge_of(found->second, output);
}

bool takes_parents(GraphLayer const& layer) {
  return layer.type == nullptr || layer.type->parents.most != 0;
}

bool has_output(GraphLayer const& layer) {
  return layer.type == nullptr || layer.type->children.most != 0;
}

std::string describe(Arity arity) {
  auto parents = [](int n) { return std::to_string(n) + (n == 1 ? " parent" : " parents"); };
  if (arity.most == 0) return "no parents";
  if (arity.most == arity.least) return parents(arity.least);
  if (arity.most < 0) return "at least " + parents(arity.least);
  return std::to_string(arity.least) + " to " + parents(arity.most);
}

/// Names children gave themselves, in the order of the lists they stand in.
using GivenChildren = std::vector<std::vector<LayerId>>;

GivenChildren resolve_given_children(Experiment const& experiment, Graph const& graph,
                                     LayerNames const& names, Report& report) {
  GivenChildren given(graph.layers.size());
  for (std::size_t i = 0; i < experiment.layers.size(); ++i)
    for (auto const& name : experiment.layers[i].children)
      if (auto const child = find_layer(graph, names, name, report)) given[i].push_back(*child);
  return given;
}

void resolve_parents(LayerEntry const& entry, std::size_t index, bool named_by_parent, Graph& graph,
                     LayerNames const& names, std::vector<bool>& poisoned, Report& report) {
  auto& layer = graph.layers[index];
  if (entry.parents) {
    for (auto const& name : *entry.parents)
      if (auto edge = find_output(graph, names, name, report))
        layer.parents.push_back(*edge);
      else
        poisoned[index] = true;
  } else if (takes_parents(layer) && !named_by_parent) {
    if (index == 0) {
      report.add(diagnostics::no_layer_before, layer.span, {layer.name});
      poisoned[index] = true;
      return;
    }
    auto const* type = graph.layers[index - 1].type;
    layer.parents.push_back(
        {LayerId(index - 1), type && has_numbered_outputs(*type) ? Edge::unnamed : 0, layer.span});
  }
}

/// Edges that only the parent's `children` tell, then each layer's children: those it names first,
/// then the others in order of the text.
void reciprocate(GivenChildren const& given, Graph& graph) {
  auto const count = graph.layers.size();
  auto const key = [](LayerId parent, LayerId child) {
    return (std::uint64_t{parent.value} << 32) | child.value;
  };
  std::unordered_map<std::uint64_t, std::size_t> listed;  // entries of `children` still to be met
  std::unordered_map<std::uint64_t, std::size_t> existing;
  for (std::size_t i = 0; i < count; ++i)
    for (auto const child : given[i]) ++listed[key(LayerId(i), child)];
  if (!listed.empty())
    for (std::size_t i = 0; i < count; ++i)
      for (auto const& edge : graph.layers[i].parents) ++existing[key(edge.layer, LayerId(i))];
  for (std::size_t i = 0; i < count; ++i) {
    auto const* type = graph.layers[i].type;
    for (auto const child : given[i]) {
      auto& there = existing[key(LayerId(i), child)];
      if (there > 0)
        --there;
      else
        graph[child].parents.push_back({LayerId(i),
                                        type && has_numbered_outputs(*type) ? Edge::unnamed : 0,
                                        graph.layers[i].span});
      graph.layers[i].children.push_back(child);
    }
  }
  for (std::size_t i = 0; i < count; ++i)
    for (auto const& edge : graph.layers[i].parents) {
      auto const found = listed.empty() ? listed.end() : listed.find(key(edge.layer, LayerId(i)));
      if (found != listed.end() && found->second > 0)
        --found->second;
      else
        graph[edge.layer].children.push_back(LayerId(i));
    }
}

/// Layers take from their hint layers the fields that they can, and then the last parent too if it
/// is all they lack.
void take_from_hints(Graph& graph) {
  for (std::size_t i = 0; i < graph.layers.size(); ++i) {
    auto& layer = graph.layers[i];
    if (layer.type == nullptr || !layer.hint) continue;
    auto const& hint = graph[*layer.hint];
    if (hint.type == nullptr || hint.parents.size() != 1) continue;
    auto completed = layer.type->completed_by(layer.declaration, hint.declaration);
    if (completed == nullptr) continue;
    layer.declaration.object = std::move(completed);
    if (static_cast<int>(layer.parents.size()) + 1 != layer.type->parents.least) continue;
    layer.parents.push_back(hint.parents[0]);
    graph[hint.parents[0].layer].children.push_back(LayerId(i));
  }
}

void check_parents(Graph const& graph, std::vector<bool> const& poisoned, Report& report) {
  for (std::size_t i = 0; i < graph.layers.size(); ++i) {
    auto const& layer = graph.layers[i];
    if (layer.type == nullptr || poisoned[i]) continue;
    auto const arity = layer.type->parents;
    auto const count = static_cast<int>(layer.parents.size());
    if (count < arity.least || (arity.most >= 0 && count > arity.most))
      report.add(diagnostics::parent_count, layer.span,
                 {layer.name, describe(arity), std::to_string(count)});
    for (auto const& edge : layer.parents)
      if (!has_output(graph[edge.layer]))
        report.add(diagnostics::parent_without_output, edge.span,
                   {graph[edge.layer].name, layer.name});
  }
}

}  // namespace

std::optional<LayerId> find_layer(Graph const& graph, LayerNames const& names, Name const& name,
                                  Report& report) {
  if (auto const found = names.find(name.text); found != names.end()) return found->second;
  report_unknown_layer(graph, name, report);
  return std::nullopt;
}

void connect_layers(Experiment const& experiment, Graph& graph, LayerNames const& names,
                    Report& report) {
  std::vector<bool> poisoned(graph.layers.size()), named_by_parent(graph.layers.size());
  auto const given = resolve_given_children(experiment, graph, names, report);
  for (auto const& children : given)
    for (auto const child : children) named_by_parent[child.index()] = true;
  for (std::size_t i = 0; i < graph.layers.size(); ++i) {
    auto const& entry = experiment.layers[i];
    resolve_parents(entry, i, named_by_parent[i], graph, names, poisoned, report);
    if (entry.weights_of) find_layer(graph, names, *entry.weights_of, report);
    if (entry.hint_layer)
      graph.layers[i].hint = find_layer(graph, names, *entry.hint_layer, report);
  }
  reciprocate(given, graph);
  take_from_hints(graph);
  check_parents(graph, poisoned, report);
}

}  // namespace lbann::compiler
