// Tests of the graph made from an experiment.
#include "compiler/graph/build.hpp"

#include <doctest/doctest.h>

#include "compiler/graph/verify.hpp"
#include "tests/support/graph_fixture.hpp"

namespace lbann::compiler {
namespace {

struct Built : GraphFixture {
  explicit Built(std::string_view layers, std::vector<std::string> weights = {},
                 std::string const& objective = {}) {
    experiment.layers = layer_entries(layer_types, layers);
    for (auto& name : weights) experiment.weights.emplace_back().name.text = std::move(name);
    if (!objective.empty()) experiment.objective.emplace_back().layer = Name{objective, {}};
    graph = build_graph(experiment, layer_types, report);
    if (report.diagnostics().empty()) CHECK(verify(graph, {}) == std::nullopt);
  }
  std::string first_message() const { return report.diagnostics().at(0).message; }

  Graph graph;
};

using Codes = std::vector<std::string>;

}  // namespace

TEST_CASE("a layer without parents follows the one before it") {
  Built const built(
      "x: input {data_field: \"samples\"}\n"
      "labels: input {data_field: \"labels\"}\n"
      "a: relu (x)\n"
      "b: tanh\n"
      "loss: mean_squared_error (b, labels)\n",
      {}, "loss");
  CHECK(built.codes() == Codes{});
  CHECK(to_text(built.graph) ==
        "layer x: input {data_field: \"samples\"} -> a\n"
        "layer labels: input {data_field: \"labels\"} -> loss\n"
        "layer a: relu (x) -> b\n"
        "layer b: tanh (a) -> loss\n"
        "layer loss: mean_squared_error (b, labels)\n"
        "objective loss scale 1\n");
}

TEST_CASE("edges may be told on either side or both, in the order of the lists") {
  Built const built(
      "x: input {data_field: \"samples\"} children b, a\n"
      "a: relu\n"
      "b: tanh (x)\n"
      "c: sigmoid (x)\n");
  CHECK(built.codes() == Codes{});
  CHECK(to_text(built.graph) ==
        "layer x: input {data_field: \"samples\"} -> b, a, c\n"
        "layer a: relu (x)\n"
        "layer b: tanh (x)\n"
        "layer c: sigmoid (x)\n");
}

TEST_CASE("numbered outputs") {
  Built const built(
      "x: input {data_field: \"samples\"}\n"
      "parts: slice {slice_points: [0, 1, 2]}\n"
      "a: relu (parts.1)\n"
      "b: relu (parts)\n");
  CHECK(built.codes() == Codes{});
  CHECK(to_text(built.graph).find("layer a: relu (parts:1)") != std::string::npos);
  CHECK(to_text(built.graph).find("layer b: relu (parts)") != std::string::npos);
  for (auto const* wrong :
       {"parts.2", "x.1", "parts.one", "parts.", "parts.-1", "parts.99999999999"})
    CHECK(Built("x: input {data_field: \"samples\"}\n"
                "parts: slice {slice_points: [0, 1, 2]}\n"
                "a: relu (\"" +
                std::string(wrong) + "\")\n")
              .codes() == Codes{"unknown-output"});
}

TEST_CASE("dangling names come with the nearest") {
  Built const built("images: input {data_field: \"samples\"}\na: relu (image)\n");
  CHECK(built.codes() == Codes{"unknown-layer"});
  CHECK(built.report.diagnostics()[0].suggestions == std::vector<std::string>{"images"});
  CHECK(built.report.diagnostics()[0].span.begin == 38);
  CHECK(Built("x: input {data_field: \"s\"} children y\n").codes() == Codes{"unknown-layer"});
  CHECK(Built("x: input {data_field: \"s\"}\na: relu hint y\n").codes() == Codes{"unknown-layer"});
  CHECK(Built("x: input {data_field: \"s\"}\n", {}, "loss").codes() == Codes{"unknown-layer"});
  Built const weights(
      "x: input {data_field: \"s\"}\na: fully_connected {num_neurons: 2} weights v\n", {"w"});
  CHECK(weights.codes() == Codes{"unknown-weights"});
}

TEST_CASE("names are unique") {
  Built const built("x: input {data_field: \"s\"}\nx: relu (x)\n", {"w", "w"});
  CHECK(built.codes() == Codes{"duplicate-layer", "duplicate-weights"});
  CHECK(built.report.diagnostics()[0].labels.size() == 1);
}

TEST_CASE("numbers of parents") {
  CHECK(Built("a: relu\n").codes() == Codes{"no-layer-before"});
  CHECK(Built("").codes() == Codes{"no-layers"});
  Built const two("x: input {data_field: \"s\"}\na: relu (x, x)\n");
  CHECK(two.codes() == Codes{"parent-count"});
  CHECK(two.first_message() == "`a` takes 1 parent, not 2");
  CHECK(Built("x: input {data_field: \"s\"}\na: add\n").first_message() ==
        "`a` takes 2 parents, not 1");
  CHECK(Built("x: input {data_field: \"s\"}\na: sum ()\n").first_message() ==
        "`a` takes at least 1 parent, not 0");
  CHECK(Built("x: input {data_field: \"s\"}\ny: input {data_field: \"s\"} (x)\n").first_message() ==
        "`y` takes no parents, not 1");
  CHECK(Built("x: input {data_field: \"s\"}\nd: dummy\na: relu\n").codes() ==
        Codes{"parent-without-output"});
}

TEST_CASE("a missing parent hides what would follow from it") {
  Built const built("x: input {data_field: \"s\"}\na: add (x, nobody)\n");
  CHECK(built.codes() == Codes{"unknown-layer"});
}

TEST_CASE("circles are shown as their path") {
  Built const built(
      "x: input {data_field: \"s\"}\n"
      "a: add (x, c)\n"
      "b: relu (a)\n"
      "c: relu (b)\n"
      "own: relu (own)\n"
      "h1: relu (x) hint h2\n"
      "h2: relu (h1)\n");
  CHECK(built.codes() == Codes{"layer-cycle", "layer-cycle", "layer-cycle"});
  CHECK(built.first_message() ==
        "layers wait for each other in a circle: `a` -> `b` -> `c` -> `a`");
  CHECK(built.report.diagnostics()[1].message ==
        "layers wait for each other in a circle: `own` -> `own`");
}

}  // namespace lbann::compiler
