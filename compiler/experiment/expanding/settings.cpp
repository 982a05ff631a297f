// Patterns from the last to the first, so that what is there already stays.
#include "compiler/experiment/expanding/settings.hpp"

#include <algorithm>
#include <unordered_map>

#include "compiler/experiment/expanding/expansion.hpp"
#include "compiler/experiment/values/scalars.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

struct Setting {
  Entry const* pattern;
  bool used = false;
};

void apply(Setting& setting, std::string const& name, Node& layer, Budget& budget, Report& report) {
  if (!matches(setting.pattern->key, name)) return;
  setting.used = true;
  for (auto const& field : setting.pattern->value.entries)
    if (field_of(layer, field.key) == nullptr &&
        budget.take(Volume{0, field.key.size()} + volume_of(field.value), field.key_span,
                    "`settings`", report))
      add_field(layer, field.key, field.key_span, field.value);
}

}  // namespace

bool matches(std::string_view pattern, std::string_view name) {
  // Greedy with one place to come back to: the last `*` and what it took.
  std::size_t p = 0, n = 0, star = std::string_view::npos, taken = 0;
  while (n < name.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n]) && pattern[p] != '*') {
      ++p, ++n;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

void put_settings_into_layers(Node& model, Budget& budget, Report& report) {
  auto const section = std::find_if(model.entries.begin(), model.entries.end(),
                                    [](Entry const& entry) { return entry.key == "settings"; });
  if (section == model.entries.end()) return;
  auto const settings_entry = std::move(*section);
  model.entries.erase(section);
  if (settings_entry.value.kind == Node::Kind::null) return;
  std::vector<Setting> settings;
  for (auto const& entry : settings_entry.value.entries) {
    if (entry.value.kind == Node::Kind::mapping)
      settings.push_back({&entry});
    else
      report.add(diagnostics::wrong_type, entry.value.span,
                 {entry.key, "a mapping of fields", describe(entry.value)});
  }
  if (settings_entry.value.kind != Node::Kind::mapping)
    report.add(diagnostics::wrong_type, settings_entry.value.span,
               {"settings", "a mapping of patterns", describe(settings_entry.value)});
  std::vector<std::string> names;
  std::unordered_map<std::string, std::size_t> counts;
  for (auto& part : model.entries) {
    if (part.key != "layers") continue;
    for (auto& layer : part.value.items) {
      auto* entry = single_entry(layer);
      if (entry == nullptr) continue;
      auto const number = ++counts[entry->key];
      names.push_back(name_of(layer, number));
      for (auto setting = settings.rbegin(); setting != settings.rend(); ++setting)
        apply(*setting, names.back(), layer, budget, report);
    }
  }
  std::vector<std::string_view> const known(names.begin(), names.end());
  for (auto const& setting : settings)
    if (!setting.used)
      report.add(diagnostics::unmatched_pattern, setting.pattern->key_span, {setting.pattern->key})
          .suggestions = nearest(setting.pattern->key, known);
}

}  // namespace lbann::compiler
