// Declarations of modules, checked before they are called.
#include "compiler/experiment/expanding/modules.hpp"

#include <algorithm>

#include "compiler/experiment/values/fields.hpp"
#include "compiler/experiment/values/scalars.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

class ModuleReader {
 public:
  explicit ModuleReader(Report& report) : report_(report) {}

  bool mapping(Node const& node, std::string const& name) {
    if (node.kind == Node::Kind::mapping) return true;
    report_.add(diagnostics::wrong_type, node.span, {name, "a mapping", describe(node)});
    return false;
  }

  std::optional<Module> module(Entry const& entry) {
    if (!mapping(entry.value, entry.key)) return std::nullopt;
    bool good =
        check_keys(entry.value, entry.key, {"parameters", "inputs", "outputs", "layers"}, report_);
    Module module;
    module.name = entry.key;
    module.span = entry.key_span;
    if (auto const* found = entry.value.find("parameters"); found != nullptr &&
                                                            found->value.kind != Node::Kind::null &&
                                                            mapping(found->value, "parameters"))
      for (auto const& parameter : found->value.entries) good = add(parameter, module) && good;
    std::vector<Span> input_spans;
    good = names(entry.value, "inputs", module.inputs, input_spans) && good;
    good = names(entry.value, "outputs", module.outputs, module.output_spans) && good;
    auto const* layers = entry.value.find("layers");
    if (layers == nullptr) {
      if (good) report_.add(diagnostics::missing_field, entry.key_span, {entry.key, "`layers`"});
      return std::nullopt;
    }
    if (layers->value.kind != Node::Kind::sequence) {
      report_.add(diagnostics::wrong_type, layers->value.span,
                  {"layers", "a list", describe(layers->value)});
      return std::nullopt;
    }
    module.layers = &layers->value;
    if (!good) return std::nullopt;
    return module;
  }

 private:
  bool names(Node const& body, std::string_view key, std::vector<std::string>& into,
             std::vector<Span>& spans) {
    auto const* found = body.find(key);
    if (found == nullptr) return true;
    FieldInfo const field{key, {}, {}, FieldKind::texts, Presence::optional, {}, {}, {}};
    auto const value = read_value(found->value, field, report_);
    if (!value) return false;
    into = std::get<std::vector<std::string>>(*value);
    auto const& items = found->value.items;
    for (std::size_t i = 0; i < into.size(); ++i)
      spans.push_back(items.empty() ? found->value.span : items[i].span);
    return true;
  }

  /// `channels: integer` or `channels: {type: integer, default: 3}`.
  bool add(Entry const& entry, Module& module) {
    auto const* type = &entry.value;
    ModuleParameter parameter;
    parameter.name = entry.key;
    parameter.span = entry.key_span;
    if (entry.value.kind == Node::Kind::mapping) {
      if (!check_keys(entry.value, entry.key, {"type", "default", "doc"}, report_)) return false;
      auto const* named = entry.value.find("type");
      if (named == nullptr) {
        report_.add(diagnostics::missing_field, entry.key_span, {entry.key, "`type`"});
        return false;
      }
      type = &named->value;
      if (auto const* given = entry.value.find("default")) parameter.default_value = &given->value;
    }
    std::vector<std::string_view> known;
    for (auto const& [name, kind] : parameter_types) known.push_back(name);
    FieldInfo const field{"type", {}, {}, FieldKind::choice, Presence::required, known, {}, {}};
    auto const chosen = read_value(*type, field, report_);
    if (!chosen) return false;
    auto const* found = std::find_if(
        parameter_types.begin(), parameter_types.end(),
        [&](auto const& candidate) { return candidate.first == std::get<std::string>(*chosen); });
    parameter.info.kind = found->second;
    parameter.info.presence =
        parameter.default_value == nullptr ? Presence::required : Presence::optional;
    module.parameters.push_back(std::move(parameter));
    return true;
  }

  Report& report_;
};

}  // namespace

ModuleTable read_modules(Node const& section, Report& report) {
  ModuleTable table;
  ModuleReader reader(report);
  if (section.kind == Node::Kind::null || !reader.mapping(section, "modules")) return table;
  for (auto const& entry : section.entries)
    if (!entry.key.starts_with("x-"))
      table.emplace(entry.key, reader.module(entry).value_or(Module{}));
  // Names of fields point into the table, where they stay.
  for (auto& [name, module] : table)
    for (auto& parameter : module.parameters) parameter.info.name = parameter.name;
  return table;
}

}  // namespace lbann::compiler
