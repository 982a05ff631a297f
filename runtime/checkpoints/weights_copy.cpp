// All weights of a model, copied in memory.
#include "runtime/checkpoints/weights_copy.hpp"

#include <algorithm>

namespace lbann::runtime {

void WeightsCopy::take(Executor const& executor, Plan const& plan) {
  values_.resize(plan.weights.size());
  for (std::size_t i = 0; i < values_.size(); ++i) {
    auto const view = executor.read(plan.weights[i].tensor, 0);
    auto const* const bytes = view.as<std::byte>();
    values_[i].assign(bytes, bytes + (bytes == nullptr ? 0 : view.bytes()));
  }
  taken_ = true;
}

std::vector<StateArray> WeightsCopy::arrays(Executor const& executor, Plan const& plan) {
  values_.resize(plan.weights.size());
  std::vector<StateArray> arrays;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    auto const& weights = plan.weights[i];
    values_[i].resize(executor.place(weights.tensor, 0).bytes());
    arrays.push_back(state_array(weights.name, executor, weights.tensor, values_[i]));
  }
  return arrays;
}

void WeightsCopy::put_back(Executor const& executor, Plan const& plan) const {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    auto const tensor = plan.weights[i].tensor;
    std::ranges::copy(values_[i], executor.place(tensor, 0).as<std::byte>());
    executor.put(tensor);
  }
}

}  // namespace lbann::runtime
