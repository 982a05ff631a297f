// The form of entries, and the confusions around it.
#include "compiler/experiment/values/entries.hpp"

#include <algorithm>

#include "compiler/experiment/values/fields.hpp"
#include "compiler/experiment/values/scalars.hpp"
#include "compiler/experiment/values/translation.hpp"
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

struct MeantType {
  DeclarationType const* type = nullptr;  ///< null where it is not sure
  std::string_view reported_field;        ///< a field that the message already says to write
};

/// Gives the type that was meant, so that its fields are looked at, too.
MeantType report_unknown_type(Entry const& entry, std::string_view what,
                              std::vector<DeclarationType const*> const& types, Report& report) {
  auto const& name = entry.key;
  std::vector<std::string_view> names;
  for (auto const* type : types) names.push_back(type->name);
  auto& diagnostic =
      report.add(diagnostics::unknown_type, entry.key_span, {name, std::string(what)});
  auto candidates = list_forms(what);
  candidates.insert(candidates.begin(), names.begin(), names.end());
  diagnostic.suggestions = nearest(bare_name(name), candidates);
  auto const* row = explain_foreign_type(diagnostic, entry, names);
  if (row != nullptr)
    return {find_type(types, row->ours), row->adds.substr(0, row->adds.find(':'))};
  auto const& suggestions = diagnostic.suggestions;
  if (suggestions.empty() && diagnostic.notes.empty() && names.size() <= 40)
    diagnostic.notes.push_back("known are " + alternatives(names, " and "));
  if (!is_misspelt(bare_name(name), suggestions)) return {};
  auto const* meant = find_type(types, suggestions[0]);
  if (meant != nullptr) diagnostic.edits = {{entry.key_span, suggestions[0]}};
  return {meant, {}};
}

/// What an entry looks like, for a message; empty where its type says nothing of what is usual.
std::string_view example_of(std::string_view what) {
  constexpr std::string_view examples[][2] = {
      {"a layer", "`- convolution: {out_channels: 6, kernel_size: 5}`"},
      {"a data reader", "`- csv: {role: train, data_filename: train.csv}`"},
      {"an optimizer", "`optimizer: {adam: {learn_rate: 0.001}}`"},
      {"an initializer", "`initializer: {constant: {value: 0}}`"},
      {"an objective term", "`- layer_term: {layer: loss}`"},
      {"a metric", "`- layer_metric: {layer: accuracy, unit: \"%\"}`, of a layer that computes it"},
      {"a callback", "`- early_stopping: {patience: 3}`"},
      {"a value of `training_algorithm`", "`training_algorithm: {sgd: {max_epochs: 10}}`"}};
  for (auto const& [kind, example] : examples)
    if (kind == what) return example;
  return {};
}

/// Suggests an entry for a scalar that stands in its place: `relu`, `Adam(lr=0.001)`. Outside of
/// lists it is in braces, since it may stand in the line of its key.
void suggest_entry(Diagnostic& diagnostic, Node const& node, std::string_view what,
                   std::vector<DeclarationType const*> const& types) {
  auto const call = call_text(node.text).value_or(CallText{std::string(bare_name(node.text)), {}});
  std::vector<std::string_view> names;
  for (auto const* type : types) names.push_back(type->name);
  auto const rows = translations(call.name, names);
  DeclarationType const* type = nullptr;
  for (auto const* each : types)
    if (typing_errors(each->name, call.name) == 0) type = each;
  if (type == nullptr) type = find_type(types, call.name);
  if (type == nullptr && rows.size() == 1 && !rows[0]->ours.empty())
    type = find_type(types, rows[0]->ours);
  if (type == nullptr) return;
  auto const entry = translated_entry(*type, call);
  auto const ending = entry.text.ends_with(':') ? " {}" : "";
  diagnostic.suggestions = {list_forms(what).empty() ? "{" + entry.text + ending + "}"
                                                     : entry.text};
  if (entry.whole) diagnostic.edits = {{node.span, diagnostic.suggestions[0]}};
}

/// Suggests the one entry of a list where there is no list.
void unwrap_list(Diagnostic& diagnostic, Node const& node) {
  auto const& item = node.items.front();
  if (item.kind != Node::Kind::mapping) return;
  diagnostic.notes.emplace_back("only one can stand here: write it without `- `");
  diagnostic.edits = {{{node.span.file, node.span.begin, item.span.begin}, {}}};
  if (item.span.end < node.span.end)
    diagnostic.edits.push_back({{node.span.file, item.span.end, node.span.end}, {}});
}

void report_not_an_entry(Node const& node, Span span, std::string_view what, Report& report,
                         std::vector<DeclarationType const*> const& types) {
  auto& diagnostic = report.add(diagnostics::not_an_entry, span, {std::string(what)});
  if (node.kind == Node::Kind::scalar) suggest_entry(diagnostic, node, what, types);
  if (node.kind == Node::Kind::sequence && node.items.size() == 1) unwrap_list(diagnostic, node);
  if (auto const example = example_of(what); !example.empty() && diagnostic.edits.empty())
    diagnostic.notes.push_back("for example " + std::string(example));
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
    if (auto const note = complement_note(field.name); !note.empty())
      diagnostic.notes.push_back("`" + std::string(field.name) + "`: " + std::string(note));
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
    report_not_an_entry(node, node.span, what, report, types);
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
    } else if (first.key == "name") {
      report_not_an_entry(node, first.key_span, what, report, types);
    } else {
      report.add(diagnostics::not_an_entry, second.key_span, {std::string(what)})
          .labels.push_back({first.key_span, "the first key"});
    }
    return std::nullopt;
  }
  std::string_view reported_field;
  if (type == nullptr) {
    auto const meant = report_unknown_type(first, what, types, report);
    if (meant.type == nullptr) return std::nullopt;
    type = meant.type;
    reported_field = meant.reported_field;
  }
  if (first.value.kind == Node::Kind::scalar || first.value.kind == Node::Kind::sequence) {
    report_scalar(first.key, first.value, *type, report);
    return std::nullopt;
  }
  TypedEntry entry{type, first.key_span, &first.value, node.span, true, reported_field};
  entry.enabled = is_enabled(first.value, report);
  return entry;
}

std::optional<Declaration> read_declaration(TypedEntry const& entry,
                                            std::vector<DeclarationType const*> const& types,
                                            Report& report) {
  auto object = entry.type->create();
  FieldTarget targets[] = {{entry.type, object.get(), {}}};
  FieldSurroundings const around{
      entry.type->name, entry.type_span, {"enabled"}, types, entry.reported_field};
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
