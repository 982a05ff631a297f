// The pass `recognise_attention`, by files before and after.
#include <doctest/doctest.h>

#include "compiler/passes/program_passes.hpp"
#include "tests/compiler/passes/cases.hpp"

namespace {

/// Callbacks read the tensors that are called so.
void with_observed(lbann::Program& program) {
  std::vector<lbann::TensorId> observed;
  for (std::size_t i = 0; i < program.tensors.size(); ++i)
    if (program.tensors[i].name.starts_with("observed")) observed.emplace_back(i);
  lbann::compiler::recognise_attention(program, observed);
}

}  // namespace

TEST_CASE("recognise_attention") {
  lbann::tests::check_cases("recognise_attention", with_observed);
}
