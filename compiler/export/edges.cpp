// Parents are written rather than children.
#include "compiler/export/edges.hpp"

#include <algorithm>

namespace lbann::compiler {

Edges::Edges(Experiment const& experiment, Declarations const& declarations, bool full)
    : experiment_(experiment), vocabulary_(declarations), full_(full) {
  auto const& layers = experiment.layers;
  without_parents_.assign(layers.size(), false);
  without_children_.assign(layers.size(), false);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    layers_.emplace(layers[i].name.text, i);
    for (auto const& child : layers[i].children) named_.insert(child.text);
  }
  for (std::size_t i = 0; i < layers.size(); ++i) parents_.push_back(given_parents(i));
  std::vector<bool> numbered(layers.size(), false);
  for (std::size_t i = 0; i < layers.size() && !full_; ++i) numbered[i] = number_outputs(i);
  std::unordered_map<std::string_view, std::vector<std::string_view>> told;
  for (std::size_t i = 0; i < layers.size(); ++i)
    for (auto const& parent : parents_[i])
      told[layer_of(parent.text)].push_back(layers[i].name.text);
  std::unordered_set<std::string_view> named_by_parent;  // also in what is written
  for (std::size_t i = 0; i < layers.size(); ++i) {
    without_children_[i] = numbered[i] || tells_children(i, told[layers[i].name.text]);
    if (!without_children_[i])
      for (auto const& child : layers[i].children) named_by_parent.insert(child.text);
  }
  for (std::size_t i = 0; i < layers.size(); ++i)
    without_parents_[i] = implied_parents(i, named_by_parent.contains(layers[i].name.text));
}

LayerType const* Edges::type(std::size_t layer) const {
  return vocabulary_.layers.find(experiment_.layers[layer].declaration.type->name);
}

bool Edges::takes_parents(std::size_t layer) const {
  auto const* found = type(layer);
  return found == nullptr || found->parents.most != 0;
}

/// The parents of a layer, the layer before where nothing else is said.
std::vector<Name> Edges::given_parents(std::size_t index) const {
  auto const& layer = experiment_.layers[index];
  if (layer.parents) return *layer.parents;
  bool const follows = index > 0 && takes_parents(index) && !named_.contains(layer.name.text);
  return follows ? std::vector<Name>{experiment_.layers[index - 1].name} : std::vector<Name>{};
}

/// Names each output of a slice by its number where it is used, if its children tell them all;
/// nobody needs the list of children then.
bool Edges::number_outputs(std::size_t index) {
  auto const& layer = experiment_.layers[index];
  auto const record = layer.declaration.type->record(layer.declaration.object.get());
  auto const points = std::find_if(record.fields.begin(), record.fields.end(),
                                   [](auto const& field) { return field.first == "slice_points"; });
  if (points == record.fields.end()) return false;
  auto const& list = std::get<std::vector<std::int64_t>>(points->second);
  if (layer.children.size() + 1 != list.size()) return false;
  std::vector<Name*> edges;
  for (auto const& name : layer.children) {
    auto const child = layers_.find(name.text);
    if (child == layers_.end()) return false;
    auto& parents = parents_[child->second];
    auto const edge = std::ranges::find_if(parents, [&](Name& each) {
      return each.text == layer.name.text && std::ranges::find(edges, &each) == edges.end();
    });
    if (edge == parents.end()) return false;
    edges.push_back(&*edge);
  }
  for (std::size_t output = 0; output < edges.size(); ++output)
    edges[output]->text += "." + std::to_string(output);
  return true;
}

/// Whether the parents of others tell the children of a layer. Their order means something only
/// where each has an output of its own.
bool Edges::tells_children(std::size_t index, std::vector<std::string_view> told) const {
  std::vector<std::string_view> given;
  for (auto const& child : experiment_.layers[index].children) given.push_back(child.text);
  auto const* found = type(index);
  if (!full_ && found != nullptr && found->children.most == 1) {
    std::ranges::sort(told);
    std::ranges::sort(given);
    return std::ranges::includes(told, given);
  }
  return told == given;
}

/// Whether reading gives the parents of a layer again although they are not written. In full
/// detail only those that nothing tells are left out.
bool Edges::implied_parents(std::size_t index, bool named_by_parent) const {
  auto const& parents = parents_[index];
  if (!takes_parents(index) || named_by_parent) return parents.empty();
  return !full_ && index > 0 && parents.size() == 1 &&
         parents.front().text == experiment_.layers[index - 1].name.text;
}

/// The layer that `layer` or `layer.output` names, as a view that lasts; empty if there is none.
std::string_view Edges::layer_of(std::string_view name) const {
  auto found = layers_.find(name);
  if (found == layers_.end()) found = layers_.find(name.substr(0, name.rfind('.')));
  return found == layers_.end() ? std::string_view() : found->first;
}

}  // namespace lbann::compiler
