// Which layers and weights the callbacks of an experiment act on.
#include "compiler/lowering/callback_targets.hpp"

#include <algorithm>
#include <unordered_set>

#include "schemas/callbacks/list.hpp"

namespace lbann::compiler {

namespace {

/// Calls `visit` with the declaration of the type of this name, if it is built.
template <class Visit, class... Ts>
void visit_type(std::string_view name, Visit const& visit, std::variant<Ts...> const*) {
  (void)((Ts::name == name ? (visit(static_cast<Ts const*>(nullptr)), true) : false) || ...);
}

}  // namespace

bool is_instruction(std::string_view callback) {
  bool found = false;
  visit_type(
      callback, [&](auto const*) { found = true; },
      static_cast<InstructionCallback const*>(nullptr));
  return found;
}

std::vector<WeightsId> trained_weights(Graph const& graph, std::vector<std::string> const& names) {
  std::unordered_set<std::string_view> const wanted(names.begin(), names.end());
  std::vector<WeightsId> found;
  for (std::size_t i = 0; i < graph.weights.size(); ++i)
    if (graph.weights[i].optimizer && (names.empty() || wanted.contains(graph.weights[i].name)))
      found.emplace_back(i);
  return found;
}

std::vector<WeightsId> trained_weights_of_layers(Graph const& graph,
                                                 std::vector<std::string> const& names) {
  std::unordered_set<std::string_view> const wanted(names.begin(), names.end());
  std::vector<bool> used(graph.weights.size(), false);
  for (auto const& layer : graph.layers)
    if (wanted.contains(layer.name))
      for (auto const id : layer.weights) used[id.index()] = true;
  std::vector<WeightsId> found;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i] && graph.weights[i].optimizer) found.emplace_back(i);
  return found;
}

AlternateWeights alternate_weights(Graph const& graph, callbacks::alternate_updates const& fields) {
  AlternateWeights weights;
  auto const first = trained_weights_of_layers(graph, fields.layers_1);
  auto const second = trained_weights_of_layers(graph, fields.layers_2);
  std::ranges::set_difference(first, second, std::back_inserter(weights.first), {},
                              &WeightsId::index, &WeightsId::index);
  std::ranges::set_difference(second, first, std::back_inserter(weights.second), {},
                              &WeightsId::index, &WeightsId::index);
  return weights;
}

std::vector<WeightsId> scheduled_weights(Graph const& graph, Declaration const& callback) {
  std::vector<WeightsId> weights;
  auto const visit = [&]<class T>(T const*) {
    if constexpr (requires { T::changes_learning_rate; }) {
      std::vector<std::string> names;
      if constexpr (requires(T fields) { fields.weights; }) names = callback.as<T>().weights;
      weights = trained_weights(graph, names);
    }
  };
  visit_type(callback.type->name, visit, static_cast<Callback const*>(nullptr));
  visit_type(callback.type->name, visit, static_cast<InstructionCallback const*>(nullptr));
  return weights;
}

}  // namespace lbann::compiler
