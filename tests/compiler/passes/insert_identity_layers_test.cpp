// The pass `insert_identity_layers`, by files before and after.
#include <doctest/doctest.h>

#include "compiler/passes/graph_passes.hpp"
#include "tests/support/graph_fixture.hpp"

namespace lbann::compiler {

TEST_CASE("insert_identity_layers") {
  check_graph_cases("insert_identity_layers", insert_identity_layers);
}

}  // namespace lbann::compiler
