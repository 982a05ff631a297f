// Unknown keys, wrong values, missing fields.
#include "compiler/experiment/values/fields.hpp"

#include <algorithm>

#include "compiler/experiment/values/scalars.hpp"
#include "compiler/experiment/values/translation.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

bool users_own(std::string_view key) { return key.starts_with("x-"); }

bool is_part(std::span<FieldTarget> targets, std::string_view name) {
  for (auto const& target : targets)
    for (auto const& part : target.type->parts)
      if (part.name == name) return true;
  return false;
}

/// The target and field with this name.
std::pair<FieldTarget*, std::size_t> find_field(std::span<FieldTarget> targets,
                                                std::string_view name) {
  for (auto& target : targets)
    for (std::size_t i = 0; i < target.type->fields.size(); ++i)
      if (target.type->fields[i].name == name) return {&target, i};
  return {nullptr, 0};
}

/// `learn_rate:0.1`, which YAML takes for a key.
bool suggest_blank(Diagnostic& diagnostic, Entry const& entry,
                   std::vector<std::string_view> const& known) {
  auto const colon = entry.key.find(':');
  if (colon == std::string::npos || entry.value.kind != Node::Kind::null) return false;
  auto const key = std::string_view(entry.key).substr(0, colon);
  if (std::ranges::find(known, key) == known.end()) return false;
  diagnostic.suggestions = {std::string(key) + ": " + entry.key.substr(colon + 1)};
  diagnostic.edits = {{entry.key_span, diagnostic.suggestions.front()}};
  diagnostic.notes.emplace_back("a blank must stand behind the `:` of a key");
  return true;
}

bool is_list(FieldInfo const& field) {
  return field.kind == FieldKind::integers || field.kind == FieldKind::reals ||
         field.kind == FieldKind::texts;
}

/// Reports a value that is written otherwise here.
void report_form(FieldInfo const& field, Entry const& entry, Span span, std::string const& meant,
                 Report& report) {
  auto& diagnostic =
      report.add(diagnostics::wrong_type, span,
                 {std::string(field.name), expectation(field), describe(entry.value)});
  diagnostic.suggestions = {meant};
  diagnostic.edits = {{span, meant}};
}

}  // namespace

std::string report_unknown_key(Node const& mapping, Entry const& entry,
                               FieldSurroundings const& surroundings,
                               std::vector<std::string_view> const& known, Report& report) {
  auto const named = [&](DeclarationType const* type) { return type->name == entry.key; };
  auto const& relatives = surroundings.relatives;
  bool const holds_fields = entry.value.kind != Node::Kind::scalar;
  if (holds_fields && std::any_of(relatives.begin(), relatives.end(), named)) {
    report.add(diagnostics::layer_as_field, entry.key_span,
               {entry.key, std::string(surroundings.owner)});
    return {};
  }
  auto& diagnostic = report.add(diagnostics::unknown_field, entry.key_span,
                                {entry.key, std::string(surroundings.owner)});
  diagnostic.suggestions = nearest(entry.key, known);
  if (suggest_blank(diagnostic, entry, known)) return entry.key.substr(0, entry.key.find(':'));
  auto meant = explain_foreign_field(diagnostic, mapping, entry, known);
  auto const* owner = owner_of(entry.key);
  if (meant.empty() && diagnostic.edits.empty() && owner != nullptr &&
      std::ranges::find(known, owner->field) == known.end() &&
      !is_misspelt(entry.key, diagnostic.suggestions)) {
    diagnostic.suggestions.clear();
    diagnostic.notes.push_back("`" + std::string(owner->field) + "` stands in " +
                               std::string(owner->section));
  }
  std::vector<std::string_view> owners;
  for (auto const* relative : relatives)
    for (auto const& field : relative->fields)
      if (field.name == entry.key) owners.push_back(relative->name);
  constexpr std::size_t most_owners = 5;
  bool const explained = !diagnostic.notes.empty();
  if (!explained && !owners.empty() && owners.size() <= most_owners)
    diagnostic.notes.push_back("`" + entry.key + "` is a field of " +
                               alternatives(owners, " and "));
  if (!meant.empty()) return meant;
  if (!diagnostic.suggestions.empty()) return diagnostic.suggestions.front();
  if (explained) return {};
  if (known.empty())
    diagnostic.notes.push_back("`" + std::string(surroundings.owner) + "` has no fields");
  else
    diagnostic.notes.push_back("fields of `" + std::string(surroundings.owner) +
                               "`: " + alternatives(known, ", "));
  return {};
}

bool read_fields(std::span<FieldTarget> targets, Node const& body,
                 FieldSurroundings const& surroundings, Report& report) {
  for (auto& target : targets) target.places.assign(target.type->fields.size(), Span{});
  bool good = true;
  std::vector<std::string> meant;  // a field that is there under a wrong name is not missing
  for (std::size_t at = 0; at < body.entries.size(); ++at) {
    auto const& entry = body.entries[at];
    if (users_own(entry.key)) continue;
    auto const [target, index] = find_field(targets, entry.key);
    if (target == nullptr) {
      auto const& others = surroundings.others;
      if (std::find(others.begin(), others.end(), entry.key) != others.end()) continue;
      if (is_part(targets, entry.key)) continue;
      std::vector<std::string_view> known;
      for (auto const& each : targets) {
        for (auto const& field : each.type->fields) known.push_back(field.name);
        for (auto const& part : each.type->parts) known.push_back(part.name);
      }
      known.insert(known.end(), others.begin(), others.end());
      meant.push_back(report_unknown_key(body, entry, surroundings, known, report));
      good = false;
      continue;
    }
    target->places[index] = entry.value.span;
    auto const& field = target->type->fields[index];
    if (auto const tuple = is_list(field) ? tuple_at(body, at) : std::nullopt) {
      report_form(field, entry, tuple->span, tuple->list, report);
      at += tuple->entries - 1;
      good = false;
      continue;
    }
    if (auto const padding = named_padding(body, entry); !padding.empty()) {
      report_form(field, entry, entry.value.span, padding, report);
      good = false;
      continue;
    }
    auto const value = read_value(entry.value, field, report);
    good = value && target->type->set(target->object, index, *value) && good;
  }
  std::vector<std::string_view> missing;
  for (auto const& target : targets)
    for (std::size_t i = 0; i < target.type->fields.size(); ++i)
      if (target.type->fields[i].presence == Presence::required && !target.places[i].known() &&
          target.type->fields[i].name != surroundings.reported_field &&
          std::ranges::find(meant, target.type->fields[i].name) == meant.end())
        missing.push_back(target.type->fields[i].name);
  if (!missing.empty()) {
    report.add(diagnostics::missing_field, surroundings.owner_span,
               {std::string(surroundings.owner), alternatives(missing, " and ")});
    good = false;
  }
  return good;
}

bool check_keys(Node const& mapping, std::string_view owner,
                std::vector<std::string_view> const& known, Report& report) {
  bool good = true;
  FieldSurroundings const surroundings{owner, {}, {}, {}};
  for (auto const& entry : mapping.entries) {
    if (users_own(entry.key) || std::find(known.begin(), known.end(), entry.key) != known.end())
      continue;
    report_unknown_key(mapping, entry, surroundings, known, report);
    good = false;
  }
  return good;
}

}  // namespace lbann::compiler
