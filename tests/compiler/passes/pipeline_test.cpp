// Tests of the pipeline as a whole: its list, stopping, checking, and its speed on large models.
#include "compiler/passes/pipeline.hpp"

#include <doctest/doctest.h>

#include "compiler/graph/build.hpp"
#include "tests/support/graph_fixture.hpp"

namespace lbann::compiler {
namespace {

/// A chain of `pairs` pairs of fully connected layers and rectifiers, with loss and accuracy.
struct Chain : GraphFixture {
  explicit Chain(std::size_t pairs) {
    std::string text = "x: input {data_field: \"samples\"}\nt: input {data_field: \"labels\"}\n";
    for (std::size_t i = 0; i < pairs; ++i) {
      auto const number = std::to_string(i);
      auto const parent = i == 0 ? "x" : "r" + std::to_string(i - 1);
      text += "f" + number + ": fully_connected {num_neurons: 8} (" + parent + ")\nr" + number +
              ": relu (f" + number + ")\n";
    }
    auto const last = "r" + std::to_string(pairs - 1);
    text += "p: softmax (" + last + ")\nloss: cross_entropy (p, t)\n" +
            "accuracy: categorical_accuracy (p, t)\n";
    experiment.layers = layer_entries(layer_types, text);
    experiment.objective.emplace_back().layer = Name{"loss", {}};
    auto& metric = experiment.metrics.emplace_back();
    metric.name.text = "accuracy";
    metric.layer.text = "accuracy";
    experiment.optimizer = optimizer_from(optimizer_types, "sgd {learn_rate: 0.1, momentum: 0.9}");
    give_field(experiment, "samples", {8});
    give_field(experiment, "labels", {8});
  }

  Result<Success> compile(std::string_view stop_after = {}) {
    compilation.graph = build_graph(experiment, layer_types, report);
    REQUIRE(codes().empty());
    return run_passes(compilation, stop_after,
                      [&](Pass const& pass, Compilation const&) { ran.emplace_back(pass.name); });
  }

  std::vector<std::string> ran;
};

}  // namespace

TEST_CASE("all passes run in the order of the list") {
  Chain chain(3);
  auto const result = chain.compile();
  REQUIRE_MESSAGE(result.good(), (result.good() ? "" : result.problem().message));
  CHECK(chain.codes().empty());
  std::vector<std::string> names;
  for (auto const& pass : pipeline()) {
    names.emplace_back(pass.name);
    CHECK(pass.summary.ends_with("."));
  }
  CHECK(chain.ran == names);
  CHECK(chain.compilation.program.entry_points.size() == 4);
}

TEST_CASE("passes stop after the one named, and after one that complains") {
  Chain stopped(3);
  CHECK(stopped.compile("insert_split_layers").good());
  CHECK(stopped.ran.back() == "insert_split_layers");
  CHECK(stopped.ran.size() == 4);

  Chain wrong(3);
  wrong.experiment.readers[0].fields[1].dims = {9};
  CHECK(wrong.compile().good());
  CHECK(wrong.ran.back() == "assign_types");
  CHECK(wrong.codes() == std::vector<std::string>{"unequal-inputs", "unequal-inputs"});
}

TEST_CASE("a graph that breaks a promise is our fault, and the pass is named") {
  Chain chain(1);
  chain.compilation.graph = build_graph(chain.experiment, chain.layer_types, chain.report);
  chain.compilation.graph.layers[0].children.clear();
  auto const result = run_passes(chain.compilation);
  REQUIRE_FALSE(result.good());
  CHECK(result.problem().message.starts_with(
      "internal fault: pass `insert_evaluation_layers`: layer `x` does not know its child `f0`\n"
      "layer x: input"));
}

}  // namespace lbann::compiler
