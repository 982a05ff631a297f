// Layers that recur become modules; which names and values are parameters.
#include <fmt/format.h>

#include "tests/compiler/export/written.hpp"
#include "tests/support/contains.hpp"

using namespace lbann;
using namespace lbann::compiler;
using testing::contains;

namespace {

/// A residual block behind `parent`; its names begin with `name`.
std::string residual(std::string const& name, std::string const& parent, int width,
                     std::string const& more = {}) {
  return fmt::format(
      "    - fully_connected:\n"
      "        name: {0}_wide\n"
      "        parents: {1}\n"
      "        num_neurons: {2}\n"
      "        weights: {{name: {0}_matrix, initializer: {{he_normal_initializer: }}}}\n"
      "    - relu: {{name: {0}_relu}}\n"
      "    - fully_connected: {{name: {0}_narrow, num_neurons: 24{3}}}\n"
      "    - sum: {{name: {0}_sum, parents: [{0}_narrow, {1}]}}\n",
      name, parent, width, more);
}

/// The same layers under names that count.
std::string counted(int first, std::string const& parent, std::string const& kind) {
  return fmt::format(
      "    - fully_connected:\n"
      "        name: layer{0}\n"
      "        parents: {2}\n"
      "        num_neurons: 7\n"
      "        weights: {{name: {3}_first_matrix, initializer: {{he_normal_initializer: }}}}\n"
      "    - relu: {{name: layer{1}}}\n"
      "    - fully_connected:\n"
      "        name: {3}_out\n"
      "        num_neurons: 24\n"
      "        weights: {{name: {3}_second_matrix, initializer: {{he_normal_initializer: }}}}\n",
      first, first + 1, parent, kind);
}

}  // namespace

TEST_CASE("layers that recur with other names and values become a module") {
  auto const yaml = rewritten(experiment_of(
      residual("a_block", "x", 8) + residual("b_block", "a_block_sum", 16) +
      "    - tanh: {name: between}\n" + residual("c_block", "between", 4, ", has_bias: false") +
      residual("d_block", "x", 8)));
  CHECK_MESSAGE(yaml.starts_with(R"(modules:
  block:
    parameters: {num_neurons: integer, has_bias: {type: boolean, default: true}}
    inputs: x
    layers:
      - fully_connected:
          name: wide
          num_neurons: "${num_neurons}"
          weights: {name: matrix, initializer: {he_normal_initializer: }}
      - relu: {name: relu}
      - fully_connected: {name: narrow, num_neurons: 24, has_bias: "${has_bias}"}
      - sum: {name: sum, parents: [narrow, x]}

trainer:
)"),
                yaml);
  CHECK_MESSAGE(contains(yaml, R"(
    - call: {module: block, name: a_block, with: {num_neurons: 8}}
    - call: {module: block, name: b_block, with: {num_neurons: 16}}
    - tanh: {name: between}
    - call: {module: block, name: c_block, with: {num_neurons: 4, has_bias: false}}
    - call: {module: block, name: d_block, parents: x, with: {num_neurons: 8}}
)"),
                yaml);
}

TEST_CASE("names that no call can begin are parameters") {
  auto const yaml = rewritten(
      experiment_of(counted(3, "x", "upper_stage") + "    - tanh: {name: between}\n" +
                    counted(12, "between", "lower_stage") + counted(20, "x", "other_stage")));
  CHECK_MESSAGE(contains(yaml, R"(modules:
  block:
    parameters: {layer: integer, name: text}
    layers:
      - fully_connected:
          name: "layer${layer}"
          num_neurons: 7
          weights: {name: "${name}_stage_first_matrix", initializer: {he_normal_initializer: }}
      - relu: {name: "layer${layer + 1}"}
      - fully_connected:
          name: "${name}_stage_out"
          num_neurons: 24
          weights: {name: "${name}_stage_second_matrix", initializer: {he_normal_initializer: }}
)"),
                yaml);
  CHECK_MESSAGE(contains(yaml, R"(
    - call: {module: block, prefix: "", with: {layer: 3, name: upper}}
    - tanh: {name: between}
    - call: {module: block, prefix: "", with: {layer: 12, name: lower}}
    - call: {module: block, prefix: "", parents: x, with: {layer: 20, name: other}}
)"),
                yaml);
}

TEST_CASE("layers without names keep those that they have") {
  auto const blocks = residual("a_block", "x", 8) + "    - tanh:\n" +
                      residual("b_block", "tanh_1", 16) + "    - relu:\n" +
                      residual("c_block", "relu_3", 4) + "    - relu: {parents: x}\n" +
                      residual("d_block", "x", 2);
  auto const yaml = rewritten(experiment_of(blocks));
  for (auto const* part : {"  block:\n", "    - tanh:\n    - call:", "    - relu: {name: relu_3}\n",
                           "    - relu: {name: relu_5, parents: x}\n"})
    CHECK_MESSAGE(contains(yaml, part), part, yaml);
}

TEST_CASE("what differs in its edges, and what saves little, is no module") {
  auto const crossed =
      "    - relu: {name: a_1}\n    - tanh: {name: a_2}\n    - sum: {name: a_3, parents: [a_1, "
      "a_2]}\n"
      "    - relu: {name: b_1}\n    - tanh: {name: b_2}\n    - sum: {name: b_3, parents: [b_2, "
      "b_1]}\n";
  CHECK_FALSE(contains(rewritten(experiment_of(crossed)), "modules"));
  auto const even = residual("b1", "x", 8) + residual("b2", "b1_sum", 8);
  CHECK_FALSE(
      contains(rewritten(experiment_of(even.substr(0, even.find("    - sum")))), "modules"));
}

TEST_CASE("the order of a layer's children need not be written") {
  auto const text = experiment_of(
      "    - relu: {name: r, children: [late, early]}\n    - tanh: {name: early, parents: r}\n"
      "    - tanh: {name: late, parents: r}\n    - sum: {parents: [early, late]}\n");
  CHECK_FALSE(contains(rewritten(text), "children"));
}
