// Steps proposed by weight and accepted by where they lead.
#include "schemas/samples/walk_graph.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

namespace lbann {

namespace {

constexpr std::int64_t most_label = std::int64_t{1} << 24;  // which 32-bit reals hold
/// Proposals before all choices are counted.
constexpr int most_proposals = 64;

}  // namespace

Result<GraphEdge> parse_edge(std::string_view line) {
  Problem const wrong{
      "two vertices, whole numbers from 0 to 16777216, and a weight above 0 or "
      "nothing were expected"};
  GraphEdge edge;
  int count = 0;
  auto const take = [&](auto& number) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t,"), line.size()));
    if (line.empty()) return false;
    auto const [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
    auto const length = static_cast<std::size_t>(end - line.data());
    if (error != std::errc{}) return false;
    line.remove_prefix(length);
    ++count;
    return line.empty() || line[0] == ' ' || line[0] == '\t' || line[0] == ',';
  };
  bool const good = take(edge.from) && take(edge.to);
  line.remove_prefix(std::min(line.find_first_not_of(" \t,"), line.size()));
  if (!good || (!line.empty() && !take(edge.weight))) return wrong;
  line.remove_prefix(std::min(line.find_first_not_of(" \t,"), line.size()));
  for (auto const vertex : {edge.from, edge.to})
    if (vertex < 0 || vertex > most_label) return wrong;
  if (!line.empty() || !(edge.weight > 0) || !std::isfinite(edge.weight)) return wrong;
  return edge;
}

Result<WalkGraph> WalkGraph::make(std::vector<GraphEdge> edges, bool directed) {
  WalkGraph graph;
  for (auto const& edge : edges) {
    graph.labels_.push_back(edge.from);
    graph.labels_.push_back(edge.to);
  }
  std::ranges::sort(graph.labels_);
  graph.labels_.erase(std::ranges::unique(graph.labels_).begin(), graph.labels_.end());
  auto const vertex = [&](std::int64_t label) {
    return std::ranges::lower_bound(graph.labels_, label) - graph.labels_.begin();
  };
  auto const given = edges.size();
  if (!directed) edges.reserve(2 * given);
  for (std::size_t i = 0; i < given; ++i) {
    edges[i].from = vertex(edges[i].from);
    edges[i].to = vertex(edges[i].to);
    if (!directed && edges[i].from != edges[i].to)
      edges.push_back({edges[i].to, edges[i].from, edges[i].weight});
  }
  // Equal edges in the order of the file: sums of weights are the same everywhere.
  std::ranges::stable_sort(edges, {},
                           [](auto const& edge) { return std::pair(edge.from, edge.to); });
  graph.begins_.assign(graph.labels_.size() + 1, 0);
  double until = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    auto const& edge = edges[i];
    bool const is_first = i == 0 || edges[i - 1].from != edge.from;
    until = (is_first ? 0 : until) + edge.weight;
    if (!is_first && edges[i - 1].to == edge.to)
      graph.edges_.back().until = until;
    else
      graph.edges_.push_back({edge.to, until});
    graph.begins_[static_cast<std::size_t>(edge.from) + 1] = graph.edges_.size();
  }
  for (std::size_t i = 1; i < graph.begins_.size(); ++i) {
    if (graph.begins_[i] == 0)
      return Problem{"no edge leads away from vertex " + std::to_string(graph.labels_[i - 1]) +
                     ", where walks would end; `directed: false` lets edges lead both ways"};
    if (!std::isfinite(graph.edges_[graph.begins_[i] - 1].until))
      return Problem{"the weights of vertex " + std::to_string(graph.labels_[i - 1]) +
                     " are too large to be added"};
  }
  return graph;
}

std::span<WalkGraph::Edge const> WalkGraph::edges(std::int64_t vertex) const {
  auto const at = static_cast<std::size_t>(vertex);
  return std::span(edges_).subspan(begins_[at], begins_[at + 1] - begins_[at]);
}

std::int64_t WalkGraph::degree(std::int64_t vertex) const { return std::ssize(edges(vertex)); }

bool WalkGraph::leads(std::int64_t from, std::int64_t to) const {
  auto const all = edges(from);
  auto const found = std::ranges::lower_bound(all, to, {}, &Edge::to);
  return found != all.end() && found->to == to;
}

std::int64_t WalkGraph::next(SampleDraws& draws, double back, double out, std::int64_t before,
                             std::int64_t at) const {
  auto const all = edges(at);
  auto const propose = [&] {
    auto const found =
        std::ranges::upper_bound(all, draws.next() * all.back().until, {}, &Edge::until);
    return found == all.end() ? all.back().to : found->to;
  };
  if (before < 0) return propose();
  auto const factor = [&](std::int64_t to) {
    return to == before ? 1 / back : leads(to, before) ? 1 : 1 / out;
  };
  auto const largest = std::max({1.0, 1 / back, 1 / out});
  for (int i = 0; i < most_proposals; ++i) {
    auto const to = propose();
    if (draws.next() * largest < factor(to)) return to;
  }
  // The same distribution at the cost of all edges, where nearly all are refused.
  double sum = 0, until = 0;
  for (auto const& edge : all) {
    sum += (edge.until - until) * factor(edge.to);
    until = edge.until;
  }
  auto left = draws.next() * sum;
  until = 0;
  for (auto const& edge : all) {
    left -= (edge.until - until) * factor(edge.to);
    until = edge.until;
    if (left < 0) return edge.to;
  }
  return all.back().to;
}

void WalkGraph::walk(SampleDraws& draws, double back, double out,
                     std::span<std::int64_t> walk) const {
  auto const count = static_cast<double>(vertices());
  for (std::size_t i = 0; i < walk.size(); ++i)
    walk[i] = i == 0 ? static_cast<std::int64_t>(draws.next() * count)
                     : next(draws, back, out, i > 1 ? walk[i - 2] : -1, walk[i - 1]);
}

NoiseDistribution::NoiseDistribution(std::span<std::int64_t const> counts) {
  double sum = 0;
  for (auto const count : counts)
    until_.push_back(sum += std::pow(static_cast<double>(count), 0.75));
}

std::int64_t NoiseDistribution::draw_one(SampleDraws& draws,
                                         std::vector<std::int64_t> const& taken) const {
  auto const is_taken = [&](std::int64_t vertex) {
    return std::ranges::find(taken, vertex) != taken.end();
  };
  for (int i = 0; i < most_proposals; ++i) {
    auto const found = std::ranges::upper_bound(until_, draws.next() * until_.back());
    auto const vertex = std::min(found - until_.begin(), std::ssize(until_) - 1);
    if (!is_taken(vertex)) return vertex;
  }
  double sum = 0;
  for (std::size_t i = 0; i < until_.size(); ++i)
    if (!is_taken(static_cast<std::int64_t>(i))) sum += weight(i);
  auto left = draws.next() * sum;
  std::int64_t last = 0;
  for (std::size_t i = 0; i < until_.size(); ++i) {
    if (is_taken(static_cast<std::int64_t>(i))) continue;
    last = static_cast<std::int64_t>(i);
    left -= weight(i);
    if (left < 0) break;
  }
  return last;
}

void NoiseDistribution::draw(SampleDraws& draws, std::vector<std::int64_t>& taken,
                             std::span<std::int64_t> vertices) const {
  for (auto& vertex : vertices) {
    // Where all vertices are taken there is none to choose but once more.
    if (taken.size() >= until_.size()) taken.clear();
    vertex = draw_one(draws, taken);
    taken.push_back(vertex);
  }
}

}  // namespace lbann
