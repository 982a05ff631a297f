// The pass `recognise_composites`, by files before and after.
#include <doctest/doctest.h>

#include "compiler/passes/program_passes.hpp"
#include "tests/compiler/passes/cases.hpp"

TEST_CASE("recognise_composites") {
  lbann::tests::check_cases("recognise_composites", lbann::compiler::recognise_composites);
}
