// The pass `insert_evaluation_layers`, by files before and after.
#include <doctest/doctest.h>

#include "compiler/passes/graph_passes.hpp"
#include "tests/support/graph_fixture.hpp"

namespace lbann::compiler {

TEST_CASE("insert_evaluation_layers") {
  check_graph_cases("insert_evaluation_layers", insert_evaluation_layers);
}

}  // namespace lbann::compiler
