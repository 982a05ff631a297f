// The pass `infer_shapes`, by files before and after.
#include <doctest/doctest.h>

#include "compiler/passes/graph_passes.hpp"
#include "tests/support/graph_fixture.hpp"

namespace lbann::compiler {

TEST_CASE("infer_shapes") {
  check_graph_cases("infer_shapes", infer_shapes, [](GraphFixture& fixture) {
    give_field(fixture.experiment, "samples", {1, 28, 28});
    give_field(fixture.experiment, "labels", {10});
  });
}

}  // namespace lbann::compiler
