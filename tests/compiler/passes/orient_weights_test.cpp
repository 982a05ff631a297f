// The pass `orient_weights`, by files before and after.
#include <doctest/doctest.h>

#include "compiler/passes/program_passes.hpp"
#include "tests/compiler/passes/cases.hpp"

using namespace lbann;

TEST_CASE("orient_weights") { tests::check_cases("orient_weights", compiler::orient_weights); }
