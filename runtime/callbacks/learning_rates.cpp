// The learning rates of a model.
#include "runtime/callbacks/learning_rates.hpp"

#include <algorithm>

namespace lbann::runtime {

std::vector<LearningRate> learning_rates(CallbackContext const& run) {
  std::vector<LearningRate> rates;
  for (auto const& weights : run.plan.weights) {
    auto const id = weights.learning_rate;
    if (!id.valid()) continue;
    auto const* const value = run.executor.scalar_or_null<double>(id);
    if (value == nullptr) continue;
    auto found = std::ranges::find(rates, value, &LearningRate::value);
    if (found == rates.end()) found = rates.insert(found, LearningRate{id, value, {}});
    found->weights.push_back(weights.name);
  }
  return rates;
}

}  // namespace lbann::runtime
