// The pass `fuse_maps`, by files before and after.
#include <doctest/doctest.h>

#include "compiler/passes/program_passes.hpp"
#include "tests/compiler/passes/cases.hpp"

TEST_CASE("fuse_maps") { lbann::tests::check_cases("fuse_maps", lbann::compiler::fuse_maps); }
