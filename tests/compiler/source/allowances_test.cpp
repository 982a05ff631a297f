// `x-allow`: where it acts, and what it may name.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "compiler/compile.hpp"

namespace lbann::compiler {
namespace {

using Codes = std::vector<std::string>;

Codes told(std::string const& text, std::optional<Syntax> syntax = {}) {
  CompileOptions options;
  options.name = "allowed.yaml";
  options.text = text;
  options.syntax = syntax;
  static Declarations const declarations;
  auto const compiled = compile(options, declarations);
  Codes codes;
  for (auto const* each : compiled.report.sorted()) codes.emplace_back(each->info->code);
  return codes;
}

/// A model whose loss takes scores, and whose second layer is not trained.
std::string trained_model(std::string const& at_loss, std::string const& at_layers = {},
                          std::string const& at_top = {}) {
  return at_top +
         "trainer: {mini_batch_size: 4, training_algorithm: {sgd: {max_epochs: 1}}}\n"
         "data_reader: [synthetic: {role: train, num_samples: 8, synth_dimensions: [4], "
         "num_labels: 3}]\n"
         "optimizer: {sgd: {learn_rate: 0.1}}\n"
         "model:\n" +
         at_layers +
         "  objective_function: [layer_term: {layer: cross_entropy_1}]\n"
         "  layers:\n"
         "    - input: {name: x, data_field: samples}\n"
         "    - input: {name: truth, data_field: labels}\n"
         "    - fully_connected: {name: scores, parents: x, num_neurons: 3}\n"
         "    - fully_connected: {name: aside, parents: x, num_neurons: 3}\n"
         "    - cross_entropy:\n"
         "        parents: [scores, truth]\n" +
         at_loss;
}

}  // namespace

TEST_CASE("x-allow acts at its entry, in its section, or everywhere") {
  std::string const both = "x-allow: [scores-as-probabilities, unreached-weights]\n";
  CHECK(told(trained_model("")) == Codes{"unreached-weights", "scores-as-probabilities"});
  CHECK(told(trained_model("        x-allow: [scores-as-probabilities]\n")) ==
        Codes{"unreached-weights"});
  CHECK(told(trained_model("        x-allow: scores-as-probabilities\n")) ==
        Codes{"unreached-weights"});
  CHECK(told(trained_model("        " + both)) == Codes{"unreached-weights"});
  CHECK(told(trained_model("", "  " + both)) == Codes{});
  CHECK(told(trained_model("", "", both)) == Codes{});
  CHECK(told(trained_model("", "", "x-mine: {" + both.substr(0, both.size() - 1) + "}\n")).size() ==
        2);
}

TEST_CASE("x-allow acts in TOML") {
  auto const toml = [](std::string const& more) {
    return told(
        "[trainer]\nmini_batch_size = 4\ntraining_algorithm = {sgd = {max_epochs = 1}}\n"
        "[[data_reader]]\nsynthetic = {role = 'train', num_samples = 8, synth_dimensions = [4], "
        "num_labels = 3}\n"
        "[optimizer]\nsgd = {learn_rate = 0.1}\n"
        "[model]\nobjective_function = [{layer_term = {layer = 'loss'}}]\n"
        "[[model.layers]]\ninput = {name = 'x', data_field = 'samples'}\n"
        "[[model.layers]]\ninput = {name = 'truth', data_field = 'labels'}\n"
        "[[model.layers]]\n"
        "fully_connected = {name = 'scores', parents = 'x', num_neurons = 3}\n"
        "[[model.layers]]\ncross_entropy = {name = 'loss', parents = ['scores', 'truth']" +
            more + "}\n",
        Syntax::toml);
  };
  CHECK(toml("") == Codes{"scores-as-probabilities"});
  CHECK(toml(", x-allow = ['scores-as-probabilities']") == Codes{});
}

TEST_CASE("errors and codes that there are not cannot be allowed") {
  CHECK(told(trained_model("        x-allow: [unknown-field, nonsense]\n")) ==
        Codes{"unknown-code", "unknown-code"});
  CHECK(told(trained_model("        x-allow: {a: b}\n")) == Codes{"unknown-code"});
}

}  // namespace lbann::compiler
