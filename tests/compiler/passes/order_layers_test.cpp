// The pass `order_layers`, by files before and after.
#include <doctest/doctest.h>

#include "compiler/passes/graph_passes.hpp"
#include "tests/support/graph_fixture.hpp"

namespace lbann::compiler {

TEST_CASE("order_layers") { check_graph_cases("order_layers", order_layers); }

}  // namespace lbann::compiler
