// The pass `gather_weights`, by files before and after.
#include <doctest/doctest.h>

#include "compiler/passes/program_passes.hpp"
#include "tests/compiler/passes/cases.hpp"

using namespace lbann;

TEST_CASE("gather_weights") { tests::check_cases("gather_weights", compiler::gather_weights); }
