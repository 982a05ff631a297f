// Circles of layers that wait for each other: a depth-first search along parents.
#include "compiler/graph/cycles.hpp"

#include <algorithm>

#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

/// `path` leads from parent to child, and from its end to its beginning.
void report_cycle(Graph const& graph, std::vector<LayerId> path, Report& report) {
  std::ranges::rotate(path, std::ranges::min_element(path));
  std::string text;
  for (auto const layer : path) text += "`" + graph[layer].name + "` -> ";
  text += "`" + graph[path[0]].name + "`";
  auto& diagnostic = report.add(diagnostics::layer_cycle, graph[path[0]].span, {text});
  for (std::size_t i = 1; i < path.size() && i < 8; ++i)
    diagnostic.labels.push_back(
        {graph[path[i]].span, "waits for `" + graph[path[i - 1]].name + "`"});
}

}  // namespace

void report_cycles(Graph const& graph, Report& report) {
  enum class State : std::uint8_t { fresh, open, done };
  struct Visit {
    LayerId layer;
    std::size_t next = 0;
  };
  std::vector<State> states(graph.layers.size(), State::fresh);
  std::vector<Visit> stack;
  for (std::size_t i = 0; i < graph.layers.size(); ++i) {
    if (states[i] != State::fresh) continue;
    stack.push_back({LayerId(i)});
    states[i] = State::open;
    while (!stack.empty()) {
      auto& [id, next] = stack.back();
      auto const& layer = graph[id];
      if (next == layer.parents.size() + (layer.hint ? 1 : 0)) {
        states[id.index()] = State::done;
        stack.pop_back();
        continue;
      }
      auto const parent = next < layer.parents.size() ? layer.parents[next].layer : *layer.hint;
      ++next;
      auto& state = states[parent.index()];
      if (state == State::fresh) {
        state = State::open;
        stack.push_back({parent});
      } else if (state == State::open) {
        std::vector<LayerId> path;
        for (auto visit = stack.rbegin();; ++visit) {
          path.push_back(visit->layer);
          if (visit->layer == parent) break;
        }
        report_cycle(graph, path, report);
        for (auto const member : path) states[member.index()] = State::done;
        while (!stack.empty() && states[stack.back().layer.index()] == State::done)
          stack.pop_back();
      }
    }
  }
}

}  // namespace lbann::compiler
