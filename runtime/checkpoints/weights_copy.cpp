// All weights of a model, copied in memory.
#include "runtime/checkpoints/weights_copy.hpp"

#include <algorithm>

#include "runtime/checkpoints/weights_folder.hpp"

namespace lbann::runtime {

void WeightsCopy::take(Executor const& executor, Plan const& plan) {
  values_.resize(plan.weights.size());
  for (std::size_t i = 0; i < values_.size(); ++i) {
    auto const bytes = bytes_of_weights(executor, plan.weights[i]);
    values_[i].assign(bytes.begin(), bytes.end());
  }
  taken_ = true;
}

std::vector<StateArray> WeightsCopy::arrays(Executor const& executor, Plan const& plan) {
  values_.resize(plan.weights.size());
  std::vector<StateArray> arrays;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    auto const& weights = plan.weights[i];
    values_[i].resize(executor.place(weights.tensor, 0).bytes());
    arrays.push_back(
        {weights.name, executor.place(weights.tensor, 0).type, weights.dims, 0, values_[i]});
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
