// Plans changed at random, in their values and not in their bytes: encoded, their digests fit.
#pragma once

#include "schemas/plan/plan.hpp"
#include "tests/support/mutated_case.hpp"

namespace lbann::testing {

/// Changes one or a few values of a plan: numbers, texts, ids, shapes, lists, declarations,
/// operators.
void mutate(Plan& plan, Choices& choices);

}  // namespace lbann::testing
