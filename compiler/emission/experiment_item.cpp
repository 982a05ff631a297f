// Sections, entries and fields as items; which of them need not be said.
#include "compiler/emission/experiment_item.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "compiler/experiment/expression.hpp"
#include "compiler/experiment/sections.hpp"

namespace lbann::compiler {

namespace {

Item scalar(std::string text, bool quoted) {
  Item item;
  item.kind = Item::Kind::scalar;
  item.text = std::move(text);
  item.quoted = quoted;
  return item;
}

/// A text; what looks like an expression is kept from being one.
Item text_item(std::string text) {
  for (auto at = text.find("${"); at != std::string::npos; at = text.find("${", at + 3))
    text.insert(at, "$");
  return scalar(std::move(text), true);
}

Item list_item() {
  Item item;
  item.kind = Item::Kind::sequence;
  return item;
}

Item mapping_item() {
  Item item;
  item.kind = Item::Kind::mapping;
  return item;
}

void put(Item& mapping, std::string_view key, Item value) {
  mapping.entries.push_back({std::string(key), {}, std::move(value)});
}

/// `type: {...}`, or `type:` where there are no fields.
Item single_key(std::string_view type, Item body) {
  auto item = mapping_item();
  put(item, type, body.entries.empty() ? Item{} : std::move(body));
  return item;
}

Item to_item(bool value) { return scalar(value ? "true" : "false", false); }
Item to_item(std::int64_t value) { return scalar(std::to_string(value), false); }
Item to_item(double value) { return scalar(to_text(Scalar(value)), false); }
Item to_item(std::string const& value) { return text_item(value); }
Item to_item(Shape const& value) { return text_item(to_text(value)); }
Item to_item(Expression const& value) { return text_item(to_text(value)); }

template <class T>
Item to_item(std::vector<T> const& values) {
  auto list = list_item();
  for (auto const& value : values) list.items.push_back(to_item(value));
  return list;
}

Item to_item(std::vector<Name> const& names) {
  auto list = list_item();
  for (auto const& name : names) list.items.push_back(text_item(name.text));
  return list;
}

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

/// One number for all axes, where it is the same.
void shorten_axes(Value& value) {
  auto* list = std::get_if<std::vector<std::int64_t>>(&value);
  if (list == nullptr || list->size() < 2) return;
  if (std::adjacent_find(list->begin(), list->end(), std::not_equal_to<>()) == list->end())
    list->resize(1);
}

/// One element stands for a list of one, unless it could be taken for several.
Item shortened(Item list) {
  if (list.items.size() != 1 || list.items.front().text.find_first_of(" ,") != std::string::npos)
    return list;
  return std::move(list.items.front());
}

class Emission {
 public:
  Emission(Experiment const& experiment, Vocabulary const& vocabulary, Detail detail)
      : experiment_(experiment), vocabulary_(vocabulary), full_(detail == Detail::full) {}

  Item root() {
    auto root = mapping_item();
    put(root, "trainer", body(experiment_.trainer));
    if (!experiment_.readers.empty()) {
      auto list = list_item();
      for (auto const& reader : experiment_.readers) list.items.push_back(reader_item(reader));
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
  Item body(Declaration const& declaration,
            std::unordered_set<std::string_view> const& skipped = {}) const {
    auto item = mapping_item();
    if (!declaration) return item;
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
      put(item, field.name, value_item(field, value));
    }
    for (auto const& part : declaration.parts)
      if (!part.values.empty()) put(item, part.part->name, part_item(part));
    return item;
  }

  bool needed(FieldInfo const& field, Value const& value) const {
    if (field.presence == Presence::required) return true;
    // Ranks that take statistics together in LBANN: here all do.
    if (!full_ && field.name == "statistics_group_size") return false;
    if (value == field.default_value) {
      // A default outside of the range means "left out", and cannot be written.
      auto const* whole = std::get_if<std::int64_t>(&value);
      auto const* real = std::get_if<double>(&value);
      bool const writable = whole != nullptr  ? field.range.holds(static_cast<double>(*whole))
                            : real != nullptr ? field.range.holds(*real)
                                              : true;
      return full_ && writable;
    }
    return true;
  }

  Item value_item(FieldInfo const& field, Value const& value) const {
    auto item = std::visit([](auto const& held) { return to_item(held); }, value);
    if (field.kind == FieldKind::choice) item.quoted = false;
    return item.kind == Item::Kind::sequence && !full_ ? shortened(std::move(item)) : item;
  }

  Item part_item(DeclaredPart const& part) const {
    auto const one = [&](Declaration const& value) {
      return part.part->typed() ? entry(value) : body(value);
    };
    if (!part.part->repeated()) return one(part.values.front());
    auto list = list_item();
    for (auto const& value : part.values) list.items.push_back(one(value));
    return list;
  }

  Item entry(Declaration const& declaration) const {
    return single_key(declaration.type->name, body(declaration));
  }

  Item reader_item(ReaderEntry const& reader) const {
    auto fields = body(reader.declaration);
    auto known = mapping_item();
    auto const* type = vocabulary_.find_reader(reader.declaration.type->name);
    auto const given = type->gives(reader.declaration.object.get());
    for (auto const& field : reader.fields) {
      bool told = false;  // by the reader itself
      for (auto const& each : given)
        told = told || (each.name == field.name.text && !each.dims.empty());
      if (field.dims.empty() || (told && !full_)) continue;
      auto dims = mapping_item();
      put(dims, "dims", to_item(field.dims));
      put(known, field.name.text, std::move(dims));
    }
    if (!known.entries.empty()) put(fields, "fields", std::move(known));
    return single_key(reader.declaration.type->name, std::move(fields));
  }

  Item model() {
    // The trainer's algorithm has the last word.
    bool const algorithm = experiment_.trainer.find_part("training_algorithm") != nullptr;
    auto item = algorithm && !full_ ? body(experiment_.model, {"num_epochs"}) : body(experiment_.model);
    auto const list = [&](std::string_view key, auto const& entries, auto const& one) {
      if (entries.empty()) return;
      auto items = list_item();
      for (auto const& each : entries) items.items.push_back(one(each));
      put(item, key, std::move(items));
    };
    plan_edges();
    std::size_t index = 0;
    list("layers", experiment_.layers,
         [&](LayerEntry const& layer) { return layer_item(layer, index++); });
    list("weights", experiment_.weights, [&](WeightsEntry const& weights) {
      auto fields = body(weights.declaration);
      if (weights.initializer) put(fields, "initializer", entry(weights.initializer));
      if (weights.optimizer) put(fields, "optimizer", entry(weights.optimizer));
      return fields;
    });
    list("objective_function", experiment_.objective,
         [&](ObjectiveTerm const& term) { return entry(term.declaration); });
    std::vector<Declaration> metrics;
    for (auto const& metric : experiment_.metrics) metrics.push_back(metric.declaration);
    for (auto const& metric : experiment_.external_metrics) metrics.push_back(metric.declaration);
    list("metrics", metrics, [&](Declaration const& metric) { return entry(metric); });
    list("callbacks", experiment_.callbacks,
         [&](Declaration const& callback) { return entry(callback); });
    return item;
  }

  Item layer_item(LayerEntry const& layer, std::size_t index) {
    auto const& type = layer.declaration.type->name;
    auto const automatic = std::string(type) + "_" + std::to_string(++counts_[type]);
    auto item = mapping_item();
    if (full_ || layer.named || layer.name.text != automatic)
      put(item, "name", text_item(layer.name.text));
    auto const names = [&](std::string_view key, std::vector<Name> const& list) {
      put(item, key, full_ ? to_item(list) : shortened(to_item(list)));
    };
    if (!without_parents_[index]) names("parents", parents_[index]);
    if (!layer.children.empty() && !without_children_[index]) names("children", layer.children);
    for (auto& field : body(layer.declaration).entries) item.entries.push_back(std::move(field));
    if (!layer.weights.empty()) names("weights", layer.weights);
    if (layer.weights_of) put(item, "weights_of", text_item(layer.weights_of->text));
    if (layer.hint_layer) put(item, "hint_layer", text_item(layer.hint_layer->text));
    for (auto& field :
         body(layer.common, {"name", "parents", "children", "weights", "weights_of", "hint_layer"})
             .entries)
      item.entries.push_back(std::move(field));
    return single_key(type, std::move(item));
  }

  /// The parents of a layer, the layer before where nothing else is said.
  std::vector<Name> given_parents(std::size_t index) const {
    auto const& layer = experiment_.layers[index];
    if (layer.parents) return *layer.parents;
    bool const follows = index > 0 && takes_parents(index) && !named_.contains(layer.name.text);
    return follows ? std::vector<Name>{experiment_.layers[index - 1].name} : std::vector<Name>{};
  }

  bool takes_parents(std::size_t index) const {
    auto const* type = vocabulary_.layers.find(experiment_.layers[index].declaration.type->name);
    return type == nullptr || type->parents.most != 0;
  }

  /// Decides which edges need not be written: children that the parents of others tell in the same
  /// order, and a single parent that is the layer before.
  void plan_edges() {
    auto const& layers = experiment_.layers;
    without_parents_.assign(layers.size(), false);
    without_children_.assign(layers.size(), false);
    for (auto const& layer : layers)
      for (auto const& child : layer.children) named_.insert(child.text);
    std::unordered_map<std::string_view, std::vector<std::string_view>> told;
    parents_.clear();
    for (std::size_t i = 0; i < layers.size(); ++i) parents_.push_back(given_parents(i));
    std::vector<bool> numbered(layers.size(), false);
    for (std::size_t i = 0; i < layers.size() && !full_; ++i) numbered[i] = number_outputs(i);
    for (std::size_t i = 0; i < layers.size(); ++i)
      for (auto const& parent : parents_[i])
        told[layer_of(parent.text)].push_back(layers[i].name.text);
    std::unordered_set<std::string_view> named_by_parent;  // also in what is written
    for (std::size_t i = 0; i < layers.size(); ++i) {
      auto const& implied = told[layers[i].name.text];
      auto const& given = layers[i].children;
      bool same = numbered[i] || implied.size() == given.size();
      for (std::size_t k = 0; same && !numbered[i] && k < given.size(); ++k) same = implied[k] == given[k].text;
      without_children_[i] = same;
      if (!same)
        for (auto const& child : given) named_by_parent.insert(child.text);
    }
    for (std::size_t i = 0; i < layers.size(); ++i)
      without_parents_[i] = implied_parents(i, named_by_parent.contains(layers[i].name.text));
  }

  /// Names each output of a slice by its number where it is used, if its children tell them all;
  /// nobody needs the list of children then.
  bool number_outputs(std::size_t index) {
    auto const& layer = experiment_.layers[index];
    auto const record = layer.declaration.type->record(layer.declaration.object.get());
    auto const points =
        std::find_if(record.fields.begin(), record.fields.end(),
                     [](auto const& field) { return field.first == "slice_points"; });
    if (points == record.fields.end()) return false;
    auto const& list = std::get<std::vector<std::int64_t>>(points->second);
    if (layer.children.size() + 1 != list.size()) return false;
    auto numbered = parents_;
    for (std::size_t output = 0; output < layer.children.size(); ++output) {
      auto const child = std::find_if(
          experiment_.layers.begin(), experiment_.layers.end(),
          [&](LayerEntry const& each) { return each.name.text == layer.children[output].text; });
      if (child == experiment_.layers.end()) return false;
      auto& parents = numbered[static_cast<std::size_t>(child - experiment_.layers.begin())];
      auto const edge = std::find_if(parents.begin(), parents.end(), [&](Name const& name) {
        return name.text == layer.name.text;
      });
      if (edge == parents.end()) return false;
      edge->text += "." + std::to_string(output);
    }
    parents_ = std::move(numbered);
    return true;
  }

  /// Whether reading gives the parents of a layer again although they are not written. In full
  /// detail only those that nothing tells are left out.
  bool implied_parents(std::size_t index, bool named_by_parent) const {
    auto const& parents = parents_[index];
    if (!takes_parents(index) || named_by_parent) return parents.empty();
    return !full_ && index > 0 && parents.size() == 1 &&
           parents.front().text == experiment_.layers[index - 1].name.text;
  }

  /// The layer that `layer` or `layer.output` names, as a view that lasts; empty if there is none.
  std::string_view layer_of(std::string_view name) {
    if (names_.empty())
      for (auto const& layer : experiment_.layers) names_.insert(layer.name.text);
    auto found = names_.find(name);
    if (found == names_.end()) found = names_.find(name.substr(0, name.rfind('.')));
    return found == names_.end() ? std::string_view() : *found;
  }

  Experiment const& experiment_;
  Vocabulary const& vocabulary_;
  bool full_;
  std::map<std::string_view, int> counts_;
  std::vector<bool> without_parents_, without_children_;
  std::vector<std::vector<Name>> parents_;  ///< of each layer, as they are written
  std::unordered_set<std::string_view> names_, named_;  ///< all layers; children of layers
};

}  // namespace

Item to_item(Experiment const& experiment, Vocabulary const& vocabulary, Detail detail) {
  return Emission(experiment, vocabulary, detail).root();
}

}  // namespace lbann::compiler
