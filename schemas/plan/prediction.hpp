// The part of a plan that predicts.
#pragma once

#include <string>
#include <vector>

#include "schemas/plan/plan.hpp"

namespace lbann {

/// What of `plan` computes `outputs`: entry points `initialize` and `predict` without what these do
/// not need, and only the weights and data fields that are needed. The tensors of `outputs` become
/// results of `predict`, one for each. Weights are to be loaded: `initialize` does not write them.
Plan prediction_plan(Plan plan, std::vector<ModelOutput>& outputs);

/// Removes the entry point `predict`, which no training runs.
void drop_prediction(Program& program);

}  // namespace lbann
