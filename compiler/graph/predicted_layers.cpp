// Predictions: the last layers before losses and metrics.
#include "compiler/graph/predicted_layers.hpp"

#include <algorithm>

namespace lbann::compiler {

namespace {

/// What is known of each layer; layers stand behind their parents.
class Roles {
 public:
  explicit Roles(Graph const& graph) : graph_(graph) {
    auto const count = graph.layers.size();
    follows_target_.resize(count);
    learns_.resize(count);
    measured_.resize(count);
    only_losses_.assign(count, true);
    for (std::size_t i = 0; i < count; ++i) look_back(i);
    for (std::size_t i = count; i-- > 0;) look_ahead(i);
  }

  bool learns(std::size_t layer) const { return learns_[layer]; }

  /// Whether only losses and metrics take its outputs, or nothing does.
  bool is_last(std::size_t layer) const {
    return graph_.layers[layer].inserted_by.empty() &&
           data_field_of(graph_.layers[layer]) == nullptr && only_losses_[layer] && !is_loss(layer);
  }

 private:
  void look_back(std::size_t index) {
    auto const& layer = graph_.layers[index];
    auto const* field = data_field_of(layer);
    learns_[index] = !layer.weights.empty();
    follows_target_[index] = field != nullptr && is_target(*field);
    for (auto const& parent : layer.parents) {
      if (learns_[parent.layer.index()]) learns_[index] = true;
      // A layer with weights takes the target as an input of the model.
      if (follows_target_[parent.layer.index()] && layer.weights.empty())
        follows_target_[index] = true;
    }
  }

  /// Tells its parents what it is.
  void look_ahead(std::size_t index) {
    auto const& layer = graph_.layers[index];
    if (layer.type->discards_input) return;
    bool const passes_on = !layer.inserted_by.empty() && !layer.type->measures;
    bool const loss = passes_on ? static_cast<bool>(only_losses_[index]) : is_loss(index);
    bool const measured =
        passes_on ? static_cast<bool>(measured_[index]) : static_cast<bool>(layer.type->measures);
    for (auto const& parent : layer.parents) {
      auto const at = parent.layer.index();
      if (measured) measured_[at] = true;
      if (!loss) only_losses_[at] = false;
    }
  }

  bool is_loss(std::size_t index) const {
    auto const& layer = graph_.layers[index];
    if (layer.type->measures) return true;
    if (!only_losses_[index]) return false;
    if (layer.type->family == losses_family) return true;
    if (!layer.weights.empty()) return false;
    return follows_target_[index] || (measured_[index] && entries(layer) == 1);
  }

  static std::int64_t entries(GraphLayer const& layer) {
    std::int64_t product = 1;
    for (auto const size : layer.outputs.empty() ? Dims{} : layer.outputs[0]) product *= size;
    return product;
  }

  Graph const& graph_;
  std::vector<bool> follows_target_, learns_;  ///< of its values
  std::vector<bool> measured_, only_losses_;   ///< of its children
};

}  // namespace

std::vector<bool> predicted_layers(Graph const& graph) {
  Roles const roles(graph);
  std::vector<bool> predicted(graph.layers.size(), false);
  bool any_learns = false;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    predicted[i] = roles.is_last(i);
    any_learns = any_learns || (predicted[i] && roles.learns(i));
  }
  for (std::size_t i = 0; i < predicted.size() && any_learns; ++i)
    predicted[i] = predicted[i] && roles.learns(i);
  return predicted;
}

}  // namespace lbann::compiler
