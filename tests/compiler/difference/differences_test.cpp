// What two experiments do not share, as lines of paths.
#include "compiler/difference/differences.hpp"

#include <doctest/doctest.h>

#include "compiler/export/experiment_node.hpp"
#include "tests/compiler/experiment/read_text.hpp"

using namespace lbann;
using namespace lbann::compiler;

namespace {

using List = std::vector<std::string>;

constexpr std::string_view base =
    R"(trainer: {mini_batch_size: 4, training_algorithm: {sgd: {max_epochs: 1}}}
data_reader:
  - digits: {role: train, num_samples: 8}
  - digits: {role: test, num_samples: 8}
model:
  layers:
    - input: {name: x, data_field: samples}
    - fully_connected: {name: fc, num_neurons: 3, weights: [w]}
    - relu:
    - fully_connected: {num_neurons: 3}
    - relu:
    - l2_norm2: {name: loss}
  weights:
    - {name: w, initializer: {constant: {value: 1}}}
  objective_function:
    - layer_term: {layer: loss}
  callbacks:
    - print:
optimizer: {sgd: {learn_rate: 0.1}}
)";

compiler::Node tree_of(std::string const& text) {
  Reading const reading(text);
  REQUIRE_MESSAGE(reading.report.diagnostics().empty(), reading.rendered());
  return to_node(reading.experiment, Reading::declarations(), Detail::full);
}

/// `path: before -> after` for the experiment above with one text in place of another.
List changed(std::string_view old, std::string const& now) {
  std::string text(base);
  auto const at = text.find(old);
  REQUIRE(at != std::string::npos);
  text.replace(at, old.size(), now);
  List lines;
  for (auto const& [path, before, after] :
       differences(tree_of(std::string(base)), tree_of(text), Reading::declarations()))
    lines.push_back(path + ": " + before.value_or("none") + " -> " + after.value_or("none"));
  return lines;
}

}  // namespace

TEST_CASE("values are told with their paths") {
  CHECK(changed("name: x", "name: x").empty());
  CHECK(changed("mini_batch_size: 4", "mini_batch_size: 8") ==
        List{"trainer.mini_batch_size: 4 -> 8"});
  CHECK(changed("role: test, num_samples: 8", "role: test, num_samples: 9") ==
        List{"data_reader.digits[test].num_samples: 8 -> 9"});
  CHECK(changed("name: fc, num_neurons: 3", "name: fc, num_neurons: 5") ==
        List{"model.layers.fc.num_neurons: 3 -> 5"});
  CHECK(changed("value: 1", "value: 2") ==
        List{"model.weights.w.initializer.constant_initializer.value: 1.0 -> 2.0"});
}

TEST_CASE("another type is told whole, without its defaults") {
  CHECK(changed("{sgd: {learn_rate: 0.1}}", "{adam: {learn_rate: 0.2}}") ==
        List{"optimizer: {sgd: {learn_rate: 0.1}} -> {adam: {learn_rate: 0.2}}"});
  CHECK(changed("constant: {value: 1}", "he_normal: {}") ==
        List{"model.weights.w.initializer: {constant_initializer: {value: 1.0}} -> "
             "{he_normal_initializer: }"});
}

TEST_CASE("entries come and go") {
  CHECK(
      changed("    - print:\n", "    - timer:\n") ==
      List{"model.callbacks.print: {print: } -> none", "model.callbacks.timer: none -> {timer: }"});
  CHECK(changed("  callbacks:\n    - print:\n", "") ==
        List{"model.callbacks.print: {print: } -> none"});
  // The layer after it has another parent; numbers of layers without a name are none of its own.
  CHECK(
      changed("    - relu:\n", "    - relu:\n    - relu: {freeze: true}\n") ==
      List{"model.layers.fully_connected_2.parents: [relu_1] -> [relu_2]",
           "model.layers.relu_2: none -> {relu: {name: relu_2, parents: [relu_1], freeze: true}}"});
  CHECK(changed("    - relu:\n    - fully_connected", "    - fully_connected") ==
        List{"model.layers.relu_1_before: {relu: {name: relu_1_before, parents: [fc]}} -> none",
             "model.layers.fully_connected_2.parents: [relu_1_before] -> [fc]"});
}

TEST_CASE("weights of layers without a name go with these") {
  std::string const head =
      "trainer: {mini_batch_size: 4, training_algorithm: {sgd: {max_epochs: 1}}}\n"
      "data_reader:\n  - digits: {role: train, num_samples: 8}\nmodel:\n  layers:\n"
      "    - input: {data_field: samples}\n";
  auto const tail = [](std::string const& number) {
    return "    - fully_connected: {num_neurons: 3}\n    - l2_norm2: {name: loss}\n  "
           "objective_function:\n"
           "    - layer_term: {layer: loss}\n    - l2_weight_regularization: {scale_factor: 0.1, "
           "weights: "
           "fully_connected_" +
           number + "_linearity_weights}\noptimizer: {sgd: {learn_rate: 0.1}}\n";
  };
  auto const found = differences(tree_of(head + tail("1")),
                                 tree_of(head +
                                         "    - fully_connected: {name: wide, num_neurons: 5}\n"
                                         "    - relu: {name: r}\n" +
                                         tail("2")),
                                 Reading::declarations());
  for (auto const& each : found) CHECK(each.path.find("l2_weight") == std::string::npos);
  CHECK(!found.empty());
}

TEST_CASE("where entries stand is no difference") {
  CHECK(changed(
            "  - digits: {role: train, num_samples: 8}\n  - digits: {role: test, num_samples: 8}\n",
            "  - digits: {role: test, num_samples: 8}\n  - digits: {role: train, num_samples: 8}\n")
            .empty());
}
