// Sections, entries and fields as items; which of them need not be said.
#include "compiler/export/experiment_node.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "compiler/experiment/sections.hpp"
#include "compiler/export/edges.hpp"
#include "compiler/export/nodes.hpp"

namespace lbann::compiler {

namespace {

/// Number of axes that lists of a window's layer (`kernel_size: [3, 3]`) have values for, as its
/// `num_dims` says; nothing where that is not so.
std::optional<std::int64_t> axes_of(Record const& record) {
  auto const found = std::find_if(record.fields.begin(), record.fields.end(),
                                  [](auto const& field) { return field.first == "num_dims"; });
  if (found == record.fields.end()) return std::nullopt;
  auto const axes = std::get<std::int64_t>(found->second);
  for (auto const& [name, value] : record.fields)
    if (auto const* list = std::get_if<std::vector<std::int64_t>>(&value))
      if (list->size() > 1 && static_cast<std::int64_t>(list->size()) != axes) return std::nullopt;
  return axes;
}

Node dims_node(std::vector<std::int64_t> const& dims) {
  auto list = list_node();
  for (auto const size : dims) list.items.push_back(scalar_node(std::to_string(size), false));
  return list;
}

/// One number for all axes, where it is the same.
void shorten_axes(Value& value) {
  auto* list = std::get_if<std::vector<std::int64_t>>(&value);
  if (list == nullptr || list->size() < 2) return;
  if (std::adjacent_find(list->begin(), list->end(), std::not_equal_to<>()) == list->end())
    list->erase(list->begin() + 1, list->end());
}

class Export {
 public:
  Export(Experiment const& experiment, Declarations const& declarations, Detail detail)
      : experiment_(experiment),
        vocabulary_(declarations),
        full_(detail == Detail::full),
        edges_(experiment, declarations, full_) {}

  Node root() {
    auto root = mapping_node();
    put(root, "trainer", body(experiment_.trainer));
    if (!experiment_.readers.empty()) {
      auto list = list_node();
      for (auto const& reader : experiment_.readers) list.items.push_back(reader_node(reader));
      put(root, "data_reader", std::move(list));
    }
    put(root, "model", model());
    if (experiment_.optimizer) put(root, "optimizer", entry(experiment_.optimizer));
    if (experiment_.data_set_metadata)
      put(root, "data_set_metadata", body(experiment_.data_set_metadata));
    return root;
  }

 private:
  /// Fields that are not left to their defaults, then parts. `skipped` are written by the caller.
  Node body(Declaration const& declaration,
            std::unordered_set<std::string_view> const& skipped = {}) const {
    auto node = mapping_node();
    if (!declaration) return node;
    auto const& type = *declaration.type;
    auto record = type.record(declaration.object.get());
    auto const axes = full_ ? std::nullopt : axes_of(record);
    for (std::size_t i = 0; i < type.fields.size(); ++i) {
      auto const& field = type.fields[i];
      auto& value = record.fields[i].second;
      if (axes) {
        if (field.name == "num_dims") continue;  // the input has as many
        shorten_axes(value);
      }
      if (skipped.contains(field.name) || !needed(field, value)) continue;
      put(node, field.name, value_node(field, value));
    }
    for (auto const& part : declaration.parts)
      if (!part.values.empty()) put(node, part.part->name, part_node(part));
    return node;
  }

  bool needed(FieldInfo const& field, Value const& value) const {
    if (field.presence == Presence::required) return true;
    // Ranks that take statistics together in LBANN: here all do.
    if (!full_ && field.name == "statistics_group_size") return false;
    return value != field.default_value || (full_ && can_be_written(field, value));
  }

  Node value_node(FieldInfo const& field, Value const& value) const {
    auto node = to_node(field, value);
    return node.kind == Node::Kind::sequence && !full_ ? shortened(std::move(node)) : node;
  }

  Node part_node(DeclaredPart const& part) const {
    auto const one = [&](Declaration const& value) {
      return part.part->typed() ? entry(value) : body(value);
    };
    if (!part.part->repeated()) return one(part.values.front());
    auto list = list_node();
    for (auto const& value : part.values) list.items.push_back(one(value));
    return list;
  }

  Node entry(Declaration const& declaration) const {
    return single_key(declaration.type->name, body(declaration));
  }

  Node reader_node(ReaderEntry const& reader) const {
    auto fields = body(reader.declaration);
    auto known = mapping_node();
    auto const* type = vocabulary_.find_reader(reader.declaration.type->name);
    auto const given = type->gives(reader.declaration.object.get());
    for (auto const& field : reader.fields) {
      bool told = false;  // by the reader itself
      for (auto const& each : given)
        told = told || (each.name == field.name.text && !each.dims.empty());
      if (field.dims.empty() || (told && !full_)) continue;
      auto dims = mapping_node();
      put(dims, "dims", dims_node(field.dims));
      put(known, field.name.text, std::move(dims));
    }
    if (!known.entries.empty()) put(fields, "fields", std::move(known));
    return single_key(reader.declaration.type->name, std::move(fields));
  }

  Node model() {
    // The trainer's algorithm has the last word.
    bool const algorithm = experiment_.trainer.find_part("training_algorithm") != nullptr;
    auto node =
        algorithm && !full_ ? body(experiment_.model, {"num_epochs"}) : body(experiment_.model);
    auto const list = [&](std::string_view key, auto const& entries, auto const& one) {
      if (entries.empty()) return;
      auto items = list_node();
      for (auto const& each : entries) items.items.push_back(one(each));
      put(node, key, std::move(items));
    };
    declare_in_place();
    std::size_t index = 0;
    list("layers", experiment_.layers,
         [&](LayerEntry const& layer) { return layer_node(layer, index++); });
    std::vector<Node> weights;
    for (auto const& each : experiment_.weights)
      if (!in_place_.contains(each.name.text)) weights.push_back(weights_node(each));
    list("weights", weights, [](Node const& each) { return each; });
    list("objective_function", experiment_.objective,
         [&](ObjectiveTerm const& term) { return entry(term.declaration); });
    std::vector<Declaration> metrics;
    for (auto const& metric : experiment_.metrics) metrics.push_back(metric.declaration);
    for (auto const& metric : experiment_.external_metrics) metrics.push_back(metric.declaration);
    list("metrics", metrics, [&](Declaration const& metric) { return entry(metric); });
    list("callbacks", experiment_.callbacks,
         [&](Declaration const& callback) { return entry(callback); });
    return node;
  }

  Node weights_node(WeightsEntry const& weights) const {
    auto const zeros = single_key(vocabulary_.initializers.standard().declaration.name, {});
    auto node = body(weights.declaration);
    auto const start = weights.initializer ? entry(weights.initializer) : zeros;
    if (full_ ? static_cast<bool>(weights.initializer) : !same(start, zeros))
      put(node, "initializer", start);
    if (weights.optimizer) put(node, "optimizer", entry(weights.optimizer));
    return node;
  }

  /// Finds the weights that a single layer uses and that are said in few words.
  void declare_in_place() {
    constexpr std::size_t most_values = 16;
    if (full_) return;
    std::unordered_map<std::string_view, std::size_t> uses;
    for (auto const& layer : experiment_.layers)
      for (auto const& name : layer.weights) ++uses[name.text];
    for (auto const& weights : experiment_.weights)
      if (auto node = weights_node(weights);
          uses[weights.name.text] == 1 && count_values(node) <= most_values)
        in_place_.emplace(weights.name.text, std::move(node));
  }

  static std::size_t count_values(Node const& node) {
    std::size_t count = 1;
    for (auto const& child : node.items) count += count_values(child);
    for (auto const& each : node.entries) count += count_values(each.value);
    return count;
  }

  /// Names of a layer's weights, or what they are where no other layer uses them.
  Node weights_of(LayerEntry const& layer) const {
    auto list = to_node(layer.weights);
    if (full_) return list;
    for (std::size_t i = 0; i < layer.weights.size(); ++i)
      if (auto const found = in_place_.find(layer.weights[i].text); found != in_place_.end())
        list.items[i] = found->second;
    return shortened(std::move(list));
  }

  Node layer_node(LayerEntry const& layer, std::size_t index) {
    auto const& type = layer.declaration.type->name;
    auto const automatic = std::string(type) + "_" + std::to_string(++counts_[type]);
    auto node = mapping_node();
    if (full_ || layer.named || layer.name.text != automatic)
      put(node, "name", literal_node(layer.name.text));
    auto const names = [&](std::string_view key, std::vector<Name> const& list) {
      put(node, key, full_ ? to_node(list) : shortened(to_node(list)));
    };
    if (edges_.writes_parents(index)) names("parents", edges_.parents(index));
    if (!layer.children.empty() && edges_.writes_children(index)) names("children", layer.children);
    for (auto& field : body(layer.declaration).entries) node.entries.push_back(std::move(field));
    if (!layer.weights.empty()) put(node, "weights", weights_of(layer));
    if (layer.weights_of) put(node, "weights_of", literal_node(layer.weights_of->text));
    if (layer.hint_layer) put(node, "hint_layer", literal_node(layer.hint_layer->text));
    for (auto& field :
         body(layer.common, {"name", "parents", "children", "weights", "weights_of", "hint_layer"})
             .entries)
      node.entries.push_back(std::move(field));
    return single_key(type, std::move(node));
  }

  Experiment const& experiment_;
  Declarations const& vocabulary_;
  bool full_;
  std::map<std::string_view, int> counts_;
  Edges edges_;
  std::unordered_map<std::string_view, Node> in_place_;  ///< weights that a layer declares
};

}  // namespace

Node to_node(Experiment const& experiment, Declarations const& declarations, Detail detail) {
  return Export(experiment, declarations, detail).root();
}

}  // namespace lbann::compiler
