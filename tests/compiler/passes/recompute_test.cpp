// The pass `recompute`, by files before and after.
#include <doctest/doctest.h>

#include "compiler/passes/program_passes.hpp"
#include "tests/compiler/passes/cases.hpp"

using namespace lbann;

TEST_CASE("recompute") {
  tests::check_cases("recompute", [](Program& program) { compiler::recompute(program, 8); });
}
