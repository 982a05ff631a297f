// Layers are put in pairs first; then both trees are gone through together.
#include "compiler/difference/differences.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "compiler/difference/alignment.hpp"
#include "compiler/export/nodes.hpp"
#include "compiler/export/yaml.hpp"

namespace lbann::compiler {

namespace {

/// A mapping with a single key, the type of what it holds.
bool is_typed(Node const& node) {
  if (node.kind != Node::Kind::mapping || node.entries.size() != 1) return false;
  auto const kind = node.entries.front().value.kind;
  return kind == Node::Kind::mapping || kind == Node::Kind::null;
}

std::string type_of(Node const& entry) { return is_typed(entry) ? entry.entries.front().key : ""; }
Node const& body_of(Node const& entry) {
  return is_typed(entry) ? entry.entries.front().value : entry;
}

std::string text_of(Node const& mapping, std::string_view key) {
  auto const* entry = mapping.find(key);
  return entry != nullptr && entry->value.kind == Node::Kind::scalar ? entry->value.text : "";
}

/// Layers, readers, weights and the like: what is told apart by types and names.
bool is_list_of_entries(Node const& node) {
  return node.kind == Node::Kind::sequence && !node.items.empty() &&
         std::ranges::all_of(node.items, [](Node const& item) {
           return is_typed(item) || !text_of(item, "name").empty();
         });
}

/// `relu_3`: the name of a layer that was given none.
bool is_numbered(std::string const& name, std::string const& type) {
  return name.size() > type.size() + 1 && name.starts_with(type) && name[type.size()] == '_' &&
         name.find_first_not_of("0123456789", type.size() + 1) == name.npos;
}

Node* list_at(Node& root, std::string_view section, std::string_view list) {
  for (auto& entry : root.entries)
    if (entry.key == section)
      for (auto& inner : entry.value.entries)
        if (inner.key == list) return &inner.value;
  return nullptr;
}

using NameMap = std::map<std::string, std::string>;

/// A name in place of another; weights without a name of their own begin with that of their layer.
std::string renamed(std::string const& text, NameMap const& names) {
  if (auto const found = names.find(text); found != names.end()) return found->second;
  for (auto end = text.find('_'); end != text.npos; end = text.find('_', end + 1))
    if (auto const found = names.find(text.substr(0, end)); found != names.end())
      return found->second + text.substr(end);
  return text;
}

/// Names in place of others, wherever they stand alone.
void rename(Node& node, NameMap const& names) {
  if (node.kind == Node::Kind::scalar) node.text = renamed(node.text, names);
  for (auto& item : node.items) rename(item, names);
  for (auto& entry : node.entries) rename(entry.value, names);
}

/// Layers without names of their own are numbered: one more shifts all behind it. Gives those of
/// `before` the numbers of their partners, and those without a partner a name that no other has.
void number_alike(Node& before, Node& after) {
  auto const* layers_before = list_at(before, "model", "layers");
  auto const* layers_after = list_at(after, "model", "layers");
  if (layers_before == nullptr || layers_after == nullptr) return;
  auto const keys = [](Node const& layers) {
    std::vector<std::string> list;
    for (auto const& layer : layers.items) {
      auto const& type = type_of(layer);
      auto const name = text_of(body_of(layer), "name");
      list.push_back(is_numbered(name, type) ? type : type + " " + name);
    }
    return list;
  };
  NameMap names;
  std::set<std::string> taken;
  for (auto const& layer : layers_after->items) taken.insert(text_of(body_of(layer), "name"));
  for (auto const& layer : layers_before->items) {
    auto const name = text_of(body_of(layer), "name");
    bool const numbered = is_numbered(name, type_of(layer));
    names[name] = numbered && taken.contains(name) ? name + "_before" : name;
  }
  for (auto const& [i, j] : common_elements(keys(*layers_before), keys(*layers_after))) {
    auto const name = text_of(body_of(layers_before->items[i]), "name");
    if (is_numbered(name, type_of(layers_before->items[i])))
      names[name] = text_of(body_of(layers_after->items[j]), "name");
  }
  rename(before, names);
}

class Comparison {
 public:
  explicit Comparison(Declarations const& declarations) : declarations_(declarations) {}

  void compare(std::string const& path, Node const& before, Node const& after) {
    if (before.kind == Node::Kind::mapping && after.kind == Node::Kind::mapping)
      return mappings(path, before, after);
    bool const lists = is_list_of_entries(before) || is_list_of_entries(after);
    if (lists && both(Node::Kind::sequence, before, after)) return entries(path, before, after);
    auto const a = to_yaml_line(before), b = to_yaml_line(after);
    if (a != b) found.push_back({path, a, b});
  }

  std::vector<Difference> found;

 private:
  /// Whether each is of this kind or not there.
  static bool both(Node::Kind kind, Node const& before, Node const& after) {
    auto const fits = [&](Node const& node) {
      return node.kind == kind || node.kind == Node::Kind::null;
    };
    return fits(before) && fits(after);
  }

  void mappings(std::string const& path, Node const& before, Node const& after) {
    auto const below = [&](std::string const& key) {
      return path.empty() ? key : path + "." + key;
    };
    // Another optimizer, say: not each of its fields.
    if (is_typed(before) && is_typed(after) && type_of(before) != type_of(after)) {
      found.push_back({path, shown(before), shown(after)});
      return;
    }
    for (auto const& [key, span, value] : before.entries) {
      auto const* other = after.find(key);
      if (other != nullptr)
        compare(below(key), value, other->value);
      else
        alone(below(key), value, true);
    }
    for (auto const& [key, span, value] : after.entries)
      if (before.find(key) == nullptr) alone(below(key), value, false);
  }

  /// Something that only one of them has.
  void alone(std::string const& path, Node const& node, bool is_before) {
    if (node.kind == Node::Kind::null) return;
    if (is_list_of_entries(node))
      return is_before ? entries(path, node, {}) : entries(path, {}, node);
    auto& difference = found.emplace_back();
    difference.path = path;
    (is_before ? difference.before : difference.after) = shown(node);
  }

  /// What an entry of a list is called in a path: its name, or type and role, or type and number.
  static std::vector<std::string> keys_of(Node const& list) {
    std::vector<std::string> keys;
    std::map<std::string, std::size_t> counts, roles;
    for (auto const& item : list.items) {
      if (auto const name = text_of(body_of(item), "name"); !name.empty()) {
        keys.push_back(name);
        continue;
      }
      auto const type = type_of(item), role = text_of(body_of(item), "role");
      auto const key = role.empty() ? type : type + "[" + role + "]";
      auto const number = counts[type]++;
      keys.push_back(roles[key]++ == 0 ? key : type + "[" + std::to_string(number) + "]");
    }
    return keys;
  }

  void entries(std::string const& path, Node const& before, Node const& after) {
    auto const keys_before = keys_of(before), keys_after = keys_of(after);
    std::map<std::string, std::size_t> partners;
    for (std::size_t j = 0; j < keys_after.size(); ++j) partners.emplace(keys_after[j], j);
    std::set<std::size_t> met;
    for (std::size_t i = 0; i < keys_before.size(); ++i) {
      auto const partner = partners.find(keys_before[i]);
      auto const below = path + "." + keys_before[i];
      if (partner == partners.end() || !met.insert(partner->second).second)
        alone(below, before.items[i], true);
      else
        compare_entries(below, before.items[i], after.items[partner->second]);
    }
    for (std::size_t j = 0; j < keys_after.size(); ++j)
      if (!met.contains(j)) alone(path + "." + keys_after[j], after.items[j], false);
  }

  void compare_entries(std::string const& path, Node const& before, Node const& after) {
    if (type_of(before) != type_of(after))
      found.push_back({path, shown(before), shown(after)});
    else
      compare(path, body_of(before), body_of(after));
  }

  /// A value; of an entry without the fields that have their defaults.
  std::string shown(Node const& entry) const {
    if (!is_typed(entry)) return to_yaml_line(entry);
    auto body = body_of(entry);
    for (auto const* list : {&declarations_.layer_list, &declarations_.optimizer_list,
                             &declarations_.initializer_list, &declarations_.reader_list,
                             &declarations_.callback_list, &declarations_.training_algorithm_list,
                             &declarations_.objective_list, &declarations_.metric_list})
      for (auto const* type : *list) {
        if (type->name != type_of(entry)) continue;
        drop_defaults(body, type->fields);
        if (list == &declarations_.layer_list) drop_defaults(body, declarations_.layer.fields);
      }
    return to_yaml_line(single_key(type_of(entry), std::move(body)));
  }

  static void drop_defaults(Node& body, std::vector<FieldInfo> const& fields) {
    std::erase_if(body.entries, [&](Entry const& entry) {
      auto const field = std::ranges::find(fields, entry.key, &FieldInfo::name);
      return field != fields.end() && field->presence != Presence::required &&
             to_yaml_line(to_node(*field, field->default_value)) == to_yaml_line(entry.value);
    });
  }

  Declarations const& declarations_;
};

}  // namespace

std::vector<Difference> differences(Node before, Node after, Declarations const& declarations) {
  number_alike(before, after);
  Comparison comparison(declarations);
  comparison.compare("", before, after);
  return std::move(comparison.found);
}

}  // namespace lbann::compiler
