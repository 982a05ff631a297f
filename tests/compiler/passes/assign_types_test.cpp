// The pass `assign_types`, by files before and after; without mixed precision it changes nothing.
#include <doctest/doctest.h>

#include "compiler/passes/graph_passes.hpp"
#include "tests/support/graph_fixture.hpp"

namespace lbann::compiler {

TEST_CASE("assign_types") {
  check_graph_cases("assign_types", assign_types,
                    [](GraphFixture& fixture) { fixture.experiment.amp = DataType::bf16; });
}

TEST_CASE("assign_types without mixed precision") {
  GraphFixture fixture(
      "layer x: input {data_field: \"samples\"} -> fc\n"
      "layer fc: fully_connected {num_neurons: 3} (x)\n");
  assign_types(fixture.compilation);
  for (auto const& layer : fixture.compilation.graph.layers) CHECK_FALSE(layer.datatype);
}

}  // namespace lbann::compiler
