// Tests of the text form of graphs.
#include <doctest/doctest.h>

#include "compiler/declarations/value_text.hpp"
#include "tests/support/graph_fixture.hpp"

namespace lbann::compiler {

TEST_CASE("everything a graph holds comes back") {
  constexpr std::string_view text =
      "layer x: input {data_field: \"a \\\"quoted\\\" \\\\ field\"} -> \"odd name!\", y dims [1, "
      "28]\n"
      "layer \"odd name!\": fully_connected {num_neurons: 4, has_bias: false} (x) weights w given "
      "w "
      "weights_of x hint y freeze recompute datatype f32\n"
      "layer y: slice {axis: -1, slice_points: [0, 2, 4]} (x) -> -, z by some_pass\n"
      "layer z: leaky_relu {negative_slope: 0.1} (y:1) datatype f64 by some_pass\n"
      "weights w: [4, 28] initializer uniform_initializer {min: -1e-09, max: 0.1} optimizer sgd "
      "{learn_rate: 0.1, nesterov: true} fans 28, 4 datatype f64\n"
      "objective z scale -1.5\n"
      "term z scale 2\n"
      "l2 scale 0.1 given w weights w\n"
      "metric \"top 5\" unit \"%\" of z by x\n";
  GraphFixture const fixture(text);
  CHECK(to_text(fixture.compilation.graph) == text);
}

TEST_CASE("what is not a graph is refused with its line") {
  LayerTypes const layers;
  InitializerTypes const initializers;
  OptimizerTypes const optimizers;
  auto problem = [&](std::string_view text) {
    auto const graph = parse_graph(text, layers, initializers, optimizers);
    return graph.good() ? std::string() : graph.problem().message;
  };
  CHECK(problem("layer x relu") == "line 1: expected `:` before `relu`");
  CHECK(problem("\nlayer x: rely") == "line 2: expected a known type instead of `rely` before ``");
  CHECK(problem("layer x: relu {slope: 1}").starts_with("line 1: expected a field of `relu`"));
  CHECK(problem("layer x: relu (y)") == "nothing is named `y`");
  CHECK(problem("layer x: relu nonsense").starts_with("line 1: expected the end of the line"));
  CHECK(problem("layer x: scale {constant: \"a\"}").starts_with("line 1: expected a number"));
  CHECK(problem("layer x: input {data_field: \"a") ==
        "line 1: expected a closing quote before `\"a`");
  CHECK(problem("layer x: relu datatype f23") ==
        "line 1: expected a type of numbers, e.g. f64 before ``");
  CHECK(problem("something else").starts_with("line 1: expected a layer"));
  CHECK(problem("layer x: pooling {pool_mode: \"least\"}").find("another value") !=
        std::string::npos);
}

TEST_CASE("reals read back as they were") {
  for (double const value : {0.1, 1.0, -1e-300, 123456789012345680.0, 5e-324}) {
    auto const text = real_text(value);
    LineReader line(text);
    CHECK(line.real() == value);
  }
}

}  // namespace lbann::compiler
