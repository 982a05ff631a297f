// The pass `subsample_convolutions`, by files before and after.
#include <doctest/doctest.h>

#include "compiler/passes/program_passes.hpp"
#include "tests/compiler/passes/cases.hpp"

TEST_CASE("subsample_convolutions") {
  lbann::tests::check_cases("subsample_convolutions", lbann::compiler::subsample_convolutions);
}
