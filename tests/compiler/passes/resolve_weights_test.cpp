// The pass `resolve_weights`, by files before and after.
#include <doctest/doctest.h>

#include "compiler/passes/graph_passes.hpp"
#include "tests/support/graph_fixture.hpp"

namespace lbann::compiler {

TEST_CASE("resolve_weights") {
  check_graph_cases("resolve_weights", resolve_weights, [](GraphFixture& fixture) {
    fixture.experiment.optimizer = optimizer_from(fixture.optimizer_types, "sgd {learn_rate: 0.1}");
  });
}

}  // namespace lbann::compiler
