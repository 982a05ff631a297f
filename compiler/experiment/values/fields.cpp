// Unknown keys, wrong values, missing fields.
#include "compiler/experiment/values/fields.hpp"

#include <algorithm>

#include "compiler/experiment/values/foreign_names.hpp"
#include "compiler/experiment/values/scalars.hpp"
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

}  // namespace

std::string report_unknown_key(Entry const& entry, FieldSurroundings const& surroundings,
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
  explain_foreign_name(diagnostic, entry.key, known);
  std::vector<std::string_view> owners;
  for (auto const* relative : relatives)
    for (auto const& field : relative->fields)
      if (field.name == entry.key) owners.push_back(relative->name);
  constexpr std::size_t most_owners = 5;
  if (!owners.empty() && owners.size() <= most_owners)
    diagnostic.notes.push_back("`" + entry.key + "` is a field of " +
                               alternatives(owners, " and "));
  if (!diagnostic.suggestions.empty()) return diagnostic.suggestions.front();
  if (!diagnostic.notes.empty() && owners.empty()) return {};
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
  std::vector<std::string> misspelt;  // a field that is there under a wrong name is not missing
  for (auto const& entry : body.entries) {
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
      misspelt.push_back(report_unknown_key(entry, surroundings, known, report));
      good = false;
      continue;
    }
    target->places[index] = entry.value.span;
    auto const value = read_value(entry.value, target->type->fields[index], report);
    good = value && target->type->set(target->object, index, *value) && good;
  }
  std::vector<std::string_view> missing;
  for (auto const& target : targets)
    for (std::size_t i = 0; i < target.type->fields.size(); ++i)
      if (target.type->fields[i].presence == Presence::required && !target.places[i].known() &&
          std::find(misspelt.begin(), misspelt.end(), target.type->fields[i].name) ==
              misspelt.end())
        missing.push_back(target.type->fields[i].name);
  if (!missing.empty()) {
    report.add(diagnostics::missing_field, surroundings.owner_span,
               {std::string(surroundings.owner), alternatives(missing, " and ")});
    good = false;
  }
  return good;
}

void explain_foreign_name(Diagnostic& diagnostic, std::string_view name,
                          std::vector<std::string_view> const& accepted) {
  std::vector<std::string> ours;
  for (auto const* row : translations(name, accepted)) {
    if (!row->ours.empty()) ours.emplace_back(row->ours);
    auto const words = row->ours.empty()
                           ? std::string(row->note)
                           : "`" + std::string(row->ours) + "`: " + std::string(row->note);
    if (!row->note.empty()) diagnostic.notes.push_back(words);
  }
  suggest_first(diagnostic, ours);
  diagnostic.same_meaning = ours.size() == 1 && diagnostic.notes.empty();
}

bool check_keys(Node const& mapping, std::string_view owner,
                std::vector<std::string_view> const& known, Report& report) {
  bool good = true;
  FieldSurroundings const surroundings{owner, {}, {}, {}};
  for (auto const& entry : mapping.entries) {
    if (users_own(entry.key) || std::find(known.begin(), known.end(), entry.key) != known.end())
      continue;
    report_unknown_key(entry, surroundings, known, report);
    good = false;
  }
  return good;
}

}  // namespace lbann::compiler
