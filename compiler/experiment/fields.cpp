// Unknown keys, wrong values, missing fields.
#include "compiler/experiment/fields.hpp"

#include <algorithm>

#include "compiler/experiment/scalars.hpp"

namespace lbann::compiler {

namespace {

bool users_own(std::string_view key) { return key.starts_with("x-"); }

/// Gives the name that was probably meant, or nothing.
std::string report_unknown(Entry const& entry, FieldSurroundings const& surroundings,
                           std::vector<std::string_view> const& known, Report& report) {
  auto& diagnostic = report.add(diagnostics::unknown_field, entry.key_span,
                                {entry.key, std::string(surroundings.owner)});
  diagnostic.suggestions = nearest(entry.key, known);
  if (!diagnostic.suggestions.empty()) return diagnostic.suggestions.front();
  std::vector<std::string_view> owners;
  for (auto const* relative : surroundings.relatives)
    for (auto const& field : relative->fields)
      if (field.name == entry.key) owners.push_back(relative->name);
  if (!owners.empty() && owners.size() <= 5)
    diagnostic.notes.push_back("`" + entry.key + "` is a field of " +
                               alternatives(owners, " and "));
  if (known.empty())
    diagnostic.notes.push_back("`" + std::string(surroundings.owner) + "` has no fields");
  else
    diagnostic.notes.push_back("fields of `" + std::string(surroundings.owner) +
                               "`: " + alternatives(known, ", "));
  return {};
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

bool read_fields(std::span<FieldTarget> targets, Item const& body,
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
      std::vector<std::string_view> known;
      for (auto const& each : targets)
        for (auto const& field : each.type->fields) known.push_back(field.name);
      known.insert(known.end(), others.begin(), others.end());
      misspelt.push_back(report_unknown(entry, surroundings, known, report));
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

bool check_keys(Item const& mapping, std::string_view owner,
                std::vector<std::string_view> const& known, Report& report) {
  bool good = true;
  FieldSurroundings const surroundings{owner, {}, {}, {}};
  for (auto const& entry : mapping.entries) {
    if (users_own(entry.key) || std::find(known.begin(), known.end(), entry.key) != known.end())
      continue;
    report_unknown(entry, surroundings, known, report);
    good = false;
  }
  return good;
}

}  // namespace lbann::compiler
