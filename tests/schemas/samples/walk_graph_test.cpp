// Walks against transition probabilities in closed form, and edges that are none.
#include "schemas/samples/walk_graph.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

using namespace lbann;

namespace {

PhiloxKey const key = random_key(7, random_name("walks"));

WalkGraph graph_of(std::vector<GraphEdge> edges, bool directed = false) {
  auto graph = WalkGraph::make(std::move(edges), directed);
  if (!graph) FAIL(graph.problem().message);
  return std::move(graph).value();
}

/// Two triangles that share the edge 0 - 1, with a tail 3 - 4; and weights.
std::vector<GraphEdge> const kite = {{0, 1, 1},   {0, 2, 2}, {1, 2, 0.5},
                                     {0, 3, 1.5}, {1, 3, 3}, {3, 4, 1}};
constexpr std::size_t size = 5;

using Matrix = std::array<std::array<double, size>, size>;

Matrix weights_of(std::vector<GraphEdge> const& edges) {
  Matrix weights{};
  for (auto const& [from, to, weight] : edges) {
    weights[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)] += weight;
    weights[static_cast<std::size_t>(to)][static_cast<std::size_t>(from)] += weight;
  }
  return weights;
}

/// Probabilities to go from `at` to each vertex, having been at `before`.
std::array<double, size> closed_form(Matrix const& weights, double p, double q, std::size_t before,
                                     std::size_t at) {
  std::array<double, size> probabilities{};
  double sum = 0;
  for (std::size_t x = 0; x < size; ++x) {
    auto const bias = x == before ? 1 / p : weights[x][before] > 0 ? 1 : 1 / q;
    sum += probabilities[x] = weights[at][x] * bias;
  }
  for (auto& probability : probabilities) probability /= sum;
  return probabilities;
}

/// Whether `seen` of `all` draws are as many as a probability lets expect, to 4.5 deviations.
bool is_likely(double seen, double all, double probability) {
  auto const deviation = std::sqrt(all * probability * (1 - probability));
  return std::abs(seen - all * probability) <= 4.5 * deviation + 1e-9;
}

}  // namespace

TEST_CASE("steps have the probabilities of node2vec") {
  auto const graph = graph_of(kite);
  auto const weights = weights_of(kite);
  for (auto const& [p, q] :
       {std::pair{1.0, 1.0}, {0.25, 4.0}, {4.0, 0.25}, {1e-4, 1.0}, {1.0, 1e-4}}) {
    CAPTURE(p);
    CAPTURE(q);
    std::map<std::pair<std::int64_t, std::int64_t>, std::array<double, size>> steps;
    std::array<double, size> starts{}, firsts{};
    constexpr std::int64_t walks = 20000;
    double from_zero = 0;
    for (std::int64_t number = 0; number < walks; ++number) {
      SampleDraws draws(key, number);
      std::array<std::int64_t, 6> walk{};
      graph.walk(draws, p, q, walk);
      ++starts[static_cast<std::size_t>(walk[0])];
      if (walk[0] == 0) {
        ++from_zero;
        ++firsts[static_cast<std::size_t>(walk[1])];
      }
      for (std::size_t i = 2; i < walk.size(); ++i)
        ++steps[{walk[i - 2], walk[i - 1]}][static_cast<std::size_t>(walk[i])];
    }
    for (std::size_t x = 0; x < size; ++x) {
      CHECK(is_likely(starts[x], walks, 1.0 / size));
      CHECK(is_likely(firsts[x], from_zero, weights[0][x] / 4.5));
    }
    std::size_t compared = 0;
    for (auto const& [pair, counts] : steps) {
      auto const expected = closed_form(weights, p, q, static_cast<std::size_t>(pair.first),
                                        static_cast<std::size_t>(pair.second));
      double all = 0;
      for (auto const count : counts) all += count;
      for (std::size_t x = 0; x < size; ++x) {
        CHECK(is_likely(counts[x], all, expected[x]));
        ++compared;
      }
    }
    CHECK(compared >= 40);
  }
}

TEST_CASE("a walk is a function of key and number alone") {
  auto const graph = graph_of(kite);
  std::array<std::int64_t, 50> first{}, again{}, other{};
  SampleDraws a(key, 3), b(key, 3), c(key, 4);
  graph.walk(a, 0.5, 2, first);
  graph.walk(b, 0.5, 2, again);
  graph.walk(c, 0.5, 2, other);
  CHECK(first == again);
  CHECK(first != other);
}

TEST_CASE("edges lead one way where the graph is directed, and equal ones add up") {
  auto const circle = graph_of({{10, 20, 1}, {20, 30, 1}, {30, 10, 1}}, true);
  CHECK(circle.vertices() == 3);
  std::array<std::int64_t, 7> walk{};
  SampleDraws draws(key, 0);
  circle.walk(draws, 1, 1, walk);
  for (std::size_t i = 1; i < walk.size(); ++i) CHECK(walk[i] == (walk[i - 1] + 1) % 3);
  CHECK(circle.label(2) == 30);
  auto const twice = graph_of({{0, 1, 1}, {1, 0, 2}, {0, 2, 1}});
  CHECK(twice.degree(0) == 2);
  double to_one = 0, from_zero = 0;
  for (std::int64_t i = 0; i < 9000; ++i) {
    SampleDraws each(key, i);
    std::array<std::int64_t, 2> step{};
    twice.walk(each, 1, 1, step);
    from_zero += step[0] == 0;
    to_one += step[0] == 0 && step[1] == 1;
  }
  CHECK(is_likely(to_one, from_zero, 0.75));
  auto const sink = WalkGraph::make({{0, 1, 1}, {1, 5, 1}}, true);
  REQUIRE_FALSE(sink.good());
  CHECK(sink.problem().message.starts_with("no edge leads away from vertex 5"));
  CHECK_FALSE(WalkGraph::make({{0, 1, 1e308}, {0, 2, 1e308}}, false).good());
}

TEST_CASE("noise is drawn by the 0.75th power of counts, and none twice") {
  std::vector<std::int64_t> const counts = {1, 16, 81, 256};
  NoiseDistribution const noise(counts);
  std::array<double, 4> seen{};
  std::vector<std::int64_t> taken;
  for (std::int64_t i = 0; i < 20000; ++i) {
    SampleDraws draws(key, i);
    std::array<std::int64_t, 1> drawn{};
    taken.clear();
    noise.draw(draws, taken, drawn);
    ++seen[static_cast<std::size_t>(drawn[0])];
  }
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(is_likely(seen[i], 20000, std::pow(static_cast<double>(counts[i]), 0.75) / 100));
  SampleDraws draws(key, 1);
  std::array<std::int64_t, 4> all{};
  taken = {2};
  noise.draw(draws, taken, all);
  auto three = all;
  std::ranges::sort(three.begin(), three.begin() + 3);
  CHECK((three[0] == 0 && three[1] == 1 && three[2] == 3));
  // One vertex that is hardly ever drawn is left.
  std::vector<std::int64_t> const rare = {1, std::int64_t{1} << 60};
  taken = {1};
  std::array<std::int64_t, 1> last{};
  NoiseDistribution(rare).draw(draws, taken, last);
  CHECK(last[0] == 0);
}

TEST_CASE("parse_edge takes two vertices and a weight") {
  auto const edge = parse_edge(" 3\t16777216 , 0.5 ");
  REQUIRE(edge.good());
  CHECK(edge.value().from == 3);
  CHECK(edge.value().to == 16777216);
  CHECK(edge.value().weight == 0.5);
  CHECK(parse_edge("0 0").value().weight == 1);
  for (auto const* bad : {"", "1", "1 x", "x 1", "1 2 0", "1 2 -1", "1 2 nan", "1 2 inf", "1 2 3 4",
                          "-1 2", "1 16777217", "1.5 2", "1 2x", "1;2"})
    CHECK_FALSE(parse_edge(bad).good());
}
