// Looks up layers and weights by their names.
#include "schemas/callbacks/model_view.hpp"

#include <algorithm>
#include <unordered_set>

namespace lbann::callbacks {

ModelView::Layer const* ModelView::find_layer(std::string_view name) const {
  auto const found = std::ranges::find(layers, name, &Layer::name);
  return found == layers.end() ? nullptr : &*found;
}

WeightsId ModelView::find_weights(std::string_view name) const {
  auto const found = std::ranges::find(weights, name, &Weights::name);
  return found == weights.end() ? WeightsId()
                                : WeightsId(static_cast<std::size_t>(found - weights.begin()));
}

std::vector<WeightsId> ModelView::trained(std::vector<std::string> const& names) const {
  std::unordered_set<std::string_view> const wanted(names.begin(), names.end());
  std::vector<WeightsId> found;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i].trained && (names.empty() || wanted.contains(weights[i].name)))
      found.emplace_back(i);
  return found;
}

std::vector<WeightsId> ModelView::trained_of_layers(std::vector<std::string> const& names) const {
  std::unordered_set<std::string_view> const wanted(names.begin(), names.end());
  std::vector<bool> used(weights.size(), false);
  for (auto const& layer : layers)
    if (wanted.contains(layer.name))
      for (auto const id : layer.weights) used[id.index()] = true;
  std::vector<WeightsId> found;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i] && weights[i].trained) found.emplace_back(i);
  return found;
}

}  // namespace lbann::callbacks
