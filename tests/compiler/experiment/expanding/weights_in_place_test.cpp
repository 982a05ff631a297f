// Weights declared where a layer uses them, in modules too.
#include "compiler/experiment/expanding/weights_in_place.hpp"

#include "tests/compiler/experiment/read_text.hpp"

using namespace lbann;
using namespace lbann::compiler;

namespace {

using Texts = std::vector<std::string>;

Reading reading_of(std::string const& layers, std::string const& more = {}) {
  return Reading(
      "trainer: {mini_batch_size: 4, training_algorithm: {sgd: {max_epochs: 1}}}\n"
      "data_reader: [{digits: {role: train, num_samples: 8}}]\n" +
      more + "model:\n  layers:\n    - input: {name: images, data_field: samples}\n" + layers);
}

/// `name initializer` of the model's weights.
Texts weights_of(Reading const& read) {
  Texts texts;
  for (auto const& weights : read.experiment.weights)
    texts.push_back(weights.name.text +
                    (weights.initializer ? " " + std::string(weights.initializer.type->name) : ""));
  return texts;
}

/// `layer: weights` of the layers that name some, or the layer that they take them from.
Texts uses(Reading const& read) {
  Texts texts;
  for (auto const& layer : read.experiment.layers) {
    auto text = layer.name.text + ":";
    for (auto const& name : layer.weights) text += " " + name.text;
    if (layer.weights_of) text += " of " + layer.weights_of->text;
    if (text.back() != ':') texts.push_back(text);
  }
  return texts;
}

constexpr char const* module =
    "modules:\n"
    "  dense:\n"
    "    layers:\n"
    "      - fully_connected:\n"
    "          name: fc\n"
    "          num_neurons: 784\n"
    "          weights:\n"
    "            - {name: matrix, initializer: {he_normal_initializer: }}\n"
    "            - shift\n"
    "      - fully_connected: {name: again, num_neurons: 784, weights: [matrix]}\n";

}  // namespace

TEST_CASE("a layer declares the weights that it uses, others name them") {
  auto const read = reading_of(
      "    - fully_connected: {name: a, num_neurons: 784, weights: {name: w}}\n"
      "    - fully_connected:\n"
      "        name: b\n"
      "        num_neurons: 784\n"
      "        weights: [w, {name: v, initializer: {constant_initializer: {value: 2}}}]\n"
      "    - fully_connected: {name: c, num_neurons: 784, weights: u}\n"
      "  weights:\n"
      "    - name: u\n");
  REQUIRE(read.codes() == Texts{});
  CHECK(uses(read) == Texts{"a: w", "b: w v", "c: u"});
  CHECK(weights_of(read) == Texts{"w", "v constant_initializer", "u"});
}

TEST_CASE("weights stand in the order of their uses, wherever they are declared") {
  auto const read = reading_of(
      "    - fully_connected: {name: a, num_neurons: 784, weights: [w3, w1]}\n"
      "    - fully_connected: {name: b, num_neurons: 784, weights: [w2]}\n"
      "  weights: [{name: unused}, {name: w1}, {name: w2}, {name: w3}]\n");
  REQUIRE(read.codes() == Texts{});
  CHECK(weights_of(read) == Texts{"w3", "w1", "w2", "unused"});
}

TEST_CASE("weights that a module declares are each call's own") {
  auto const read = reading_of(
      "    - call: {module: dense, name: one}\n"
      "    - call: {module: dense, name: two}\n"
      "    - call: {module: dense, name: three, weights_of: one}\n"
      "  weights: [{name: shift}]\n",
      module);
  REQUIRE(read.codes() == Texts{});
  CHECK(uses(read) == Texts{"one_fc: one_matrix shift", "one_again: one_matrix",
                            "two_fc: two_matrix shift", "two_again: two_matrix",
                            "three_fc: of one_fc", "three_again: of one_again"});
  CHECK(weights_of(read) ==
        Texts{"one_matrix he_normal_initializer", "shift", "two_matrix he_normal_initializer"});
}

TEST_CASE("a call says what the names of its layers begin with") {
  auto const read = reading_of(
      "    - call: {module: dense, name: one, prefix: \"1.\"}\n"
      "    - call: {module: dense, prefix: \"\"}\n"
      "    - call: {module: dense, name: two, weights_of: one}\n"
      "    - call: {module: pair, name: p, prefix: q, parents: two}\n"
      "    - sum: {name: all, parents: [one, dense_2, 1.fc, fc, two_fc, p.b, p.0]}\n"
      "  weights: [{name: shift}]\n",
      module + std::string("  pair:\n    layers: [{relu: {name: a}}, {tanh: {name: b}}]\n"
                           "    outputs: [a, b]\n"));
  REQUIRE(read.codes() == Texts{});
  CHECK(uses(read) == Texts{"1.fc: 1.matrix shift", "1.again: 1.matrix", "fc: matrix shift",
                            "again: matrix", "two_fc: of 1.fc", "two_again: of 1.again"});
  Texts parents;
  for (auto const& name : *read.experiment.layers.back().parents) parents.push_back(name.text);
  CHECK(parents == Texts{"1.again", "again", "1.fc", "fc", "two_fc", "qb", "qa"});
}

TEST_CASE("weights without a name, and fields that there are not, are told at their places") {
  CHECK(reading_of("    - fully_connected: {num_neurons: 4, weights: {initializer: {}}}\n")
            .codes()
            .front() == "missing-field@{initializer: {}}");
  CHECK(reading_of("    - fully_connected: {num_neurons: 4, weights: [{name: w, start: 1}]}\n")
            .codes() == Texts{"unknown-field@start"});
}
