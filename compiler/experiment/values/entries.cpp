// The form of entries, and the confusions around it.
#include "compiler/experiment/values/entries.hpp"

#include <algorithm>

#include "compiler/experiment/values/fields.hpp"
#include "compiler/experiment/values/scalars.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

/// `Relu`, `he_normal`: LBANN's Python names and names without their ending are told, the latter
/// taken.
DeclarationType const* find_type(std::vector<DeclarationType const*> const& types,
                                 std::string_view name) {
  for (auto const* type : types)
    if (type->name == name) return type;
  for (auto const* type : types)
    if (type->name.starts_with(name) && type->name.substr(name.size()) == "_initializer")
      return type;
  return nullptr;
}

/// What can stand in a list beside entries of a type.
std::vector<std::string_view> list_forms(std::string_view what) {
  if (what == "a layer") return {"repeat", "call", "include"};
  bool const in_list = what == "a data reader" || what == "a callback" || what == "a metric" ||
                       what == "an objective term";
  return in_list ? std::vector<std::string_view>{"repeat", "include"}
                 : std::vector<std::string_view>{};
}

void report_unknown_type(std::string const& name, Span span, std::string_view what,
                         std::vector<DeclarationType const*> const& types, Report& report) {
  std::vector<std::string_view> names;
  for (auto const* type : types) names.push_back(type->name);
  auto& diagnostic = report.add(diagnostics::unknown_type, span, {name, std::string(what)});
  auto candidates = list_forms(what);
  candidates.insert(candidates.begin(), names.begin(), names.end());
  diagnostic.suggestions = nearest(name, candidates);
  explain_foreign_name(diagnostic, name, names);
  if (diagnostic.suggestions.empty() && diagnostic.notes.empty() && names.size() <= 40)
    diagnostic.notes.push_back("known are " + alternatives(names, " and "));
}

/// `dropout: 0.5` as `dropout: {keep_prob: 0.5}`.
void report_scalar(std::string const& name, Node const& value, DeclarationType const& type,
                   Report& report) {
  auto const words = value.kind == Node::Kind::sequence ? "a list" : "`" + value.text + "`";
  auto& diagnostic = report.add(diagnostics::scalar_for_fields, value.span, {name, words});
  Report tried;
  for (auto const& field : type.fields) {
    bool const fits = read_value(value, field, tried).has_value();
    if (!fits || value.kind != Node::Kind::scalar) continue;
    diagnostic.suggestions.push_back(name + ": {" + std::string(field.name) + ": " + value.text +
                                     "}");
    if (field.presence == Presence::required) break;
    if (diagnostic.suggestions.size() == 2) break;
  }
}

}  // namespace

bool is_enabled(Node const& body, Report& report) {
  auto const* entry = body.find("enabled");
  if (entry == nullptr) return true;
  FieldInfo const field{"enabled", {}, {}, FieldKind::boolean, Presence::optional, {}, true, {}};
  auto const value = read_value(entry->value, field, report);
  return !value || std::get<bool>(*value);
}

std::optional<TypedEntry> read_entry(Node const& node, std::string_view what,
                                     std::vector<DeclarationType const*> const& types,
                                     Report& report) {
  if (node.kind != Node::Kind::mapping || node.entries.empty()) {
    auto& diagnostic = report.add(diagnostics::not_an_entry, node.span, {std::string(what)});
    if (node.kind == Node::Kind::scalar && find_type(types, node.text) != nullptr) {
      diagnostic.suggestions = {node.text + ":"};
      diagnostic.same_meaning = true;
    }
    return std::nullopt;
  }
  auto const& first = node.entries.front();
  auto const* type = find_type(types, first.key);
  if (node.entries.size() > 1) {
    auto const& second = node.entries[1];
    if (type != nullptr && first.value.kind == Node::Kind::null)
      report.add(diagnostics::wrong_indentation, second.key_span, {second.key, first.key})
          .labels.push_back({first.key_span, "the type"});
    else if (auto const* named = node.find("type"); named != nullptr) {
      auto& diagnostic =
          report.add(diagnostics::not_an_entry, named->key_span, {std::string(what)});
      if (find_type(types, named->value.text) != nullptr)
        diagnostic.suggestions = {named->value.text + ": {...}"};
    } else if (first.key == "name")
      report.add(diagnostics::not_an_entry, first.key_span, {std::string(what)});
    else
      report.add(diagnostics::not_an_entry, second.key_span, {std::string(what)})
          .labels.push_back({first.key_span, "the first key"});
    return std::nullopt;
  }
  if (type == nullptr) {
    report_unknown_type(first.key, first.key_span, what, types, report);
    return std::nullopt;
  }
  if (first.value.kind == Node::Kind::scalar || first.value.kind == Node::Kind::sequence) {
    report_scalar(first.key, first.value, *type, report);
    return std::nullopt;
  }
  TypedEntry entry{type, first.key_span, &first.value, node.span, true};
  entry.enabled = is_enabled(first.value, report);
  return entry;
}

std::optional<Declaration> read_declaration(TypedEntry const& entry,
                                            std::vector<DeclarationType const*> const& types,
                                            Report& report) {
  auto object = entry.type->create();
  FieldTarget targets[] = {{entry.type, object.get(), {}}};
  FieldSurroundings const around{entry.type->name, entry.type_span, {"enabled"}, types};
  bool const good = read_fields(targets, *entry.body, around, report);
  auto parts = read_parts(*entry.type, *entry.body, report);
  if (!good) return std::nullopt;
  return Declaration{
      entry.type,      std::move(object), entry.span, entry.type_span, std::move(targets[0].places),
      std::move(parts)};
}

std::optional<Declaration> read_declaration(Node const& node, std::string_view what,
                                            std::vector<DeclarationType const*> const& types,
                                            Report& report) {
  auto const entry = read_entry(node, what, types, report);
  if (!entry) return std::nullopt;
  if (!entry->enabled) return Declaration{};
  return read_declaration(*entry, types, report);
}

}  // namespace lbann::compiler
