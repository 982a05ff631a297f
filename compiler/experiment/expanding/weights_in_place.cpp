// Layers' entries of `weights` are names or mappings; behind this there are only names.
#include "compiler/experiment/expanding/weights_in_place.hpp"

#include <algorithm>
#include <unordered_map>

#include "compiler/experiment/expanding/expansion.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

void each_weights(Node& layer, std::function<void(Node&)> const& visit) {
  auto* weights = field_of(layer, "weights");
  if (weights == nullptr) return;
  if (weights->kind == Node::Kind::sequence)
    std::ranges::for_each(weights->items, visit);
  else
    visit(*weights);
}

Node* name_of_weights(Node& weights) {
  if (weights.kind == Node::Kind::scalar) return &weights;
  for (auto& field : weights.entries)
    if (field.key == "name" && field.value.kind == Node::Kind::scalar) return &field.value;
  return nullptr;
}

std::set<std::string> declared_weights(std::vector<Node>& layers) {
  std::set<std::string> names;
  for (auto& layer : layers)
    each_weights(layer, [&](Node& weights) {
      auto const* name = name_of_weights(weights);
      if (weights.kind == Node::Kind::mapping && name != nullptr) names.insert(name->text);
    });
  return names;
}

bool names_weights(Node& layer, std::set<std::string> const& names) {
  bool found = false;
  each_weights(layer, [&](Node& weights) {
    auto const* name = name_of_weights(weights);
    found = found || (name != nullptr && names.contains(name->text));
  });
  return found;
}

void gather_weights(Node& model, Report& report) {
  std::vector<Node> gathered;
  for (auto& part : model.entries)
    if (part.key == "layers")
      for (auto& layer : part.value.items)
        each_weights(layer, [&](Node& weights) {
          if (weights.kind != Node::Kind::mapping) return;
          auto const* name = name_of_weights(weights);
          if (name == nullptr) {
            report.add(diagnostics::missing_field, weights.span, {"weights", "`name`"});
            return;
          }
          auto used = text_node(name->text, name->span);
          gathered.push_back(std::exchange(weights, std::move(used)));
        });
  if (gathered.empty()) return;
  auto section = std::ranges::find(model.entries, "weights", &Entry::key);
  if (section == model.entries.end())
    section = model.entries.insert(section, {"weights", gathered.front().span, {}});
  auto& list = section->value;
  if (list.kind == Node::Kind::null) {
    list.kind = Node::Kind::sequence;
    list.span = gathered.front().span;
  }
  if (list.kind != Node::Kind::sequence) return;  // told of when weights are read
  std::ranges::move(gathered, std::back_inserter(list.items));
}

void order_by_use(Experiment& experiment) {
  std::unordered_map<std::string_view, std::size_t> order;
  for (auto const& layer : experiment.layers)
    for (auto const& name : layer.weights) order.emplace(name.text, order.size());
  auto const place = [&](WeightsEntry const& weights) {
    auto const found = order.find(weights.name.text);
    return found == order.end() ? order.size() : found->second;
  };
  std::ranges::stable_sort(experiment.weights, {}, place);
}

}  // namespace lbann::compiler
