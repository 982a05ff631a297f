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

void ModelView::add_reader(ExecutionMode role, Record const& reader) {
  auto const holds_back = [](auto const& field) {
    auto const* fraction = std::get_if<double>(&field.second);
    return field.first == "validation_fraction" && fraction != nullptr && *fraction > 0;
  };
  has_test = has_test || role == ExecutionMode::testing;
  has_validation =
      has_validation || role == ExecutionMode::validation ||
      (role == ExecutionMode::training && std::ranges::any_of(reader.fields, holds_back));
}

std::optional<double> number_of(ModelView::Numbers const& numbers, std::string_view field) {
  for (auto const& [name, value] : numbers)
    if (name == field) return value;
  return std::nullopt;
}

}  // namespace lbann::callbacks
