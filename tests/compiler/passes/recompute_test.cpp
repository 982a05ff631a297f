// The pass `recompute`, by files before and after.
#include <doctest/doctest.h>

#include "compiler/passes/program_passes.hpp"
#include "tests/compiler/passes/cases.hpp"

using namespace lbann;

using compiler::Recompute;

TEST_CASE("recompute: full") {
  tests::check_cases("recompute",
                     [](Program& program) { compiler::recompute(program, Recompute::full, 8); });
}

TEST_CASE("recompute: selective") {
  tests::check_cases("recompute_selective", [](Program& program) {
    compiler::recompute(program, Recompute::selective, 8);
  });
}
