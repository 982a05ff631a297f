// The pass `insert_dummy_layers`, by files before and after.
#include <doctest/doctest.h>

#include "compiler/passes/graph_passes.hpp"
#include "tests/support/graph_fixture.hpp"

namespace lbann::compiler {

TEST_CASE("insert_dummy_layers") { check_graph_cases("insert_dummy_layers", insert_dummy_layers); }

}  // namespace lbann::compiler
