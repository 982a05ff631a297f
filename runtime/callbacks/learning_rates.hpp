// The learning rates of a model.
#pragma once

#include <string_view>
#include <vector>

#include "runtime/callbacks/callback.hpp"

namespace lbann::runtime {

/// A learning rate and the weights that share it, in their order.
struct LearningRate {
  TensorId tensor;
  double const* value;
  std::vector<std::string_view> weights;
};

/// All learning rates of the plan, in the order of the first weights that have them.
std::vector<LearningRate> learning_rates(CallbackContext const& run);

}  // namespace lbann::runtime
