// Tests of the check of graphs: each broken promise is noticed.
#include "compiler/graph/verify.hpp"

#include <doctest/doctest.h>

#include "tests/support/graph_fixture.hpp"

namespace lbann::compiler {
namespace {

constexpr auto good = R"(layer x: input {data_field: "s"} -> parts dims [4]
layer parts: slice {slice_points: [0, 2, 4]} (x) -> a, b dims [2], [2]
layer a: fully_connected {num_neurons: 1} (parts:0) -> e dims [1] weights w
layer b: dummy (parts:1)
layer e: evaluation (a)
weights w: [1, 2] initializer constant_initializer optimizer sgd
term e scale 1
l2 scale 1 weights w
)";

constexpr std::string_view passes[] = {
    "insert_evaluation_layers", "insert_identity_layers", "insert_dummy_layers",
    "insert_split_layers",      "order_layers",           "infer_shapes",
    "resolve_weights"};

/// The fault after a change, with all passes run.
std::string fault_after(void (*change)(Graph&)) {
  GraphFixture fixture(good);
  auto& graph = fixture.compilation.graph;
  change(graph);
  return verify(graph, passes).value_or("");
}

}  // namespace

TEST_CASE("a sound graph has no fault") {
  CHECK(fault_after([](Graph&) {}) == "");
}

TEST_CASE("broken promises are noticed") {
  CHECK(fault_after([](Graph& g) { g.layers[2].name = "x"; }) == "two layers are called `x`");
  CHECK(fault_after([](Graph& g) { g.layers[0].children.clear(); }) ==
        "layer `x` does not know its child `parts`");
  CHECK(fault_after([](Graph& g) { g.layers[0].children.push_back(LayerId(4)); }) ==
        "layer `x` has a child that does not know it");
  CHECK(fault_after([](Graph& g) { g.layers[2].parents[0].layer = LayerId(77); }) ==
        "layer `a` has a parent that is none");
  CHECK(fault_after([](Graph& g) { std::swap(g.layers[2].parents, g.layers[3].parents); }) ==
        "layer `a` and `parts` differ on outputs");
  CHECK(fault_after([](Graph& g) { g.layers[4].parents[0].output = 1; }) ==
        "layer `e` takes an output that `a` has not");
  CHECK(fault_after([](Graph& g) {
          g.objective.push_back({LayerId(2), 1, {}});
        }) == "an objective has no evaluation layer");
  CHECK(fault_after([](Graph& g) { g.objective_terms[0].evaluation = LayerId(2); }) ==
        "an objective's term is no evaluation layer");
  CHECK(fault_after([](Graph& g) {
          g.layers[3].parents.clear();
          g.layers[1].children[1] = {};
        }) == "an output of `parts` is taken by no layer");
  CHECK(fault_after([](Graph& g) { g.layers[2].outputs.clear(); }) == "layer `a` has 0 shapes");
  CHECK(fault_after([](Graph& g) { g.layers[2].outputs[0] = {0}; }) == "layer `a` gives [0]");
  CHECK(fault_after([](Graph& g) { g.layers[2].hint = LayerId(2); }) ==
        "layer `a` stands before its hint layer");
  CHECK(fault_after([](Graph& g) { g.weights[0].initializer = {}; }) ==
        "weights `w` have no initializer");
  CHECK(fault_after([](Graph& g) { g.layers[2].weights[0] = WeightsId(3); }) ==
        "layer `a` has weights that are none");
  CHECK(fault_after([](Graph& g) { g.weights[0].optimizer = {}; }) ==
        "weights that are not trained are regularized");
}

}  // namespace lbann::compiler
