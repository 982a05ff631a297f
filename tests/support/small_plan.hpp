// A hand-made plan of a small network, for tests of all that takes plans.
#pragma once

#include "schemas/plan/plan.hpp"

namespace lbann::tests {

/// A perceptron 6 - 4 - 3 with relu, softmax and cross entropy, trained by SGD with momentum on
/// mini-batches of 5 samples of a synthetic reader; objective, accuracy, a callback, spans.
Plan small_plan();

/// Its program, for tests that change it first.
extern char const* const small_program;

}  // namespace lbann::tests
