// The pass `insert_split_layers`, by files before and after.
#include <doctest/doctest.h>

#include "compiler/passes/graph_passes.hpp"
#include "tests/support/graph_fixture.hpp"

namespace lbann::compiler {

TEST_CASE("insert_split_layers") { check_graph_cases("insert_split_layers", insert_split_layers); }

}  // namespace lbann::compiler
