// Names of weights in a regularization as patterns.
#include "compiler/export/regularized.hpp"

#include <vector>

#include "tests/compiler/export/written.hpp"

using namespace lbann;
using namespace lbann::compiler;

namespace {

bool says(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("regularizations name weights by patterns") {
  std::vector<std::string> const layers = {"apple", "pear", "plum", "fig"};
  // Each layer has two weights; the term is of those with these endings.
  auto const yaml = [&](std::string const& ending, std::vector<std::string> const& wanted,
                        std::string const& more = {}) {
    std::string entries, names;
    for (auto const& layer : layers) {
      entries += "    - fully_connected: {name: " + layer +
                 ", num_neurons: 24, weights: [{name: " + layer + ending + "}, {name: " + layer +
                 "_shift}]}\n";
      for (auto const& each : wanted) names += (names.empty() ? "" : ", ") + layer + each;
    }
    return rewritten(experiment_of(
        entries + more,
        "  objective_function:\n    - l2_weight_regularization: {scale_factor: 0.5, weights: [" +
            names + "]}\n"));
  };
  CHECK(says(yaml("_matrix", {"_matrix"}), R"({scale_factor: 0.5, weights: "*_matrix"})"));
  CHECK(says(yaml("_matrix", {"_matrix", "_shift"}), "{scale_factor: 0.5}"));
  // Weights that a layer makes for itself would match too.
  std::string const own = "    - fully_connected: {name: last, num_neurons: 4}\n";
  CHECK(says(yaml("_matrix", {"_matrix"}, own), R"(weights: "*_matrix"})"));
  CHECK(says(yaml("_weights", {"_weights"}, own),
             "weights: [apple_weights, pear_weights, plum_weights, fig_weights]"));
}

TEST_CASE("a pattern that no trained weights match is told") {
  Declarations const declarations;
  CompileOptions options;
  options.name = "e.yaml";
  options.text = experiment_of("    - fully_connected: {name: y, num_neurons: 4}\n",
                               "  objective_function:\n    - l2_weight_regularization: "
                               "{scale_factor: 1, weights: \"*_kern\"}\n");
  auto const compiled = compile(options, declarations);
  REQUIRE(compiled.report.has_errors());
  CHECK(compiled.report.diagnostics().front().info->code == "unknown-weights");
}
