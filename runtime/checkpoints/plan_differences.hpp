// Whether a checkpoint of one plan can be gone on from with another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schemas/plan/plan.hpp"

namespace lbann::runtime {

struct PlanDifferences {
  std::optional<std::string> refusal;  ///< the first difference with which it cannot
  std::vector<std::string> allowed;    ///< those with which it can, to tell the user
};

/// Model, weights, optimizers and seed must be the same; limits of training, mini-batch sizes,
/// start values of learning rates, data and callbacks may differ.
PlanDifferences compare_plans(Plan const& saved, Plan const& now);

}  // namespace lbann::runtime
