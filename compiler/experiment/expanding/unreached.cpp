// What nothing writes out, modules without calls and repeats without rounds, is checked as far as
// that goes without values: syntax and names of expressions, modules, parameters.
#include <algorithm>

#include "compiler/experiment/expanding/expansion.hpp"
#include "compiler/experiment/values/entries.hpp"
#include "compiler/experiment/values/fields.hpp"
#include "compiler/experiment/values/scalars.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

/// A name whose value nobody knows.
void add_name(Scope& scope, std::string const& name, Span place) {
  scope.add(name, Node{}, place, Scope::State::good);
}

bool has_expression(Node const& node) { return node.text.find("${") != std::string::npos; }

}  // namespace

void Expansion::check_modules(Scope& variables) {
  for (auto const& [name, module] : modules_) {
    if (module.layers == nullptr) continue;  // what is wrong with it has been told
    Scope scope(&variables);
    for (auto const& parameter : module.parameters) {
      add_name(scope, parameter.name, parameter.span);
      if (parameter.default_value == nullptr) continue;
      auto value = *parameter.default_value;
      if (within_limits(value.span, volume_of(value)) &&
          substitution_.replace_all(value, variables))
        read_value(value, parameter.info, report_);
    }
    if (!called_.contains(name)) check_list(*module.layers, scope);
  }
}

void Expansion::keep_unreached(Node const* layers) {
  auto const known = std::ranges::any_of(
      unreached_, [&](Entry const& entry) { return entry.key_span == layers->span; });
  if (known || !within_limits(layers->span, volume_of(*layers))) return;
  Node module;
  module.kind = Node::Kind::mapping;
  module.entries.push_back({"layers", layers->span, *layers});
  // No module can have this name.
  unreached_.push_back({" " + std::to_string(unreached_.size()), layers->span, std::move(module)});
}

void Expansion::check_unreached_entries(Node const& entries, std::string const& index,
                                        Scope& scope) {
  if (!checked_.insert(entries.span).second) return;
  Scope inner(&scope);
  add_name(inner, index, entries.span);
  check_list(entries, inner);
}

void Expansion::check_list(Node const& list, Scope& scope) {
  for (auto const& node : list.items)
    if (auto const* repeat = fields_of(node, "repeat"))
      check_repeat(*repeat, scope);
    else if (auto const* call = fields_of(node, "call"))
      check_call(*call, scope);
    else
      check_value(node, scope);
}

void Expansion::check_value(Node const& node, Scope& scope) {
  if (node.kind == Node::Kind::sequence) return check_list(node, scope);
  for (auto const& entry : node.entries)
    if (!entry.key.starts_with("x-")) check_value(entry.value, scope);
  if (node.kind == Node::Kind::scalar) substitution_.check_names(node, scope);
}

void Expansion::check_repeat(Node const& fields, Scope& scope) {
  if (fields.kind != Node::Kind::mapping) return;
  Scope inner(&scope);
  std::string index = "index";
  for (auto const& entry : fields.entries) {
    if (entry.key == "entries" || entry.key.starts_with("x-")) continue;
    check_value(entry.value, scope);
    if (entry.key != "index") continue;
    if (has_expression(entry.value)) return;  // the entries use a name that only a value tells
    index = entry.value.text;
  }
  add_name(inner, index, fields.span);
  if (auto const* entries = fields.find("entries")) check_list(entries->value, inner);
}

void Expansion::check_call(Node const& fields, Scope& scope) {
  check_value(fields, scope);
  auto const* wanted = fields.find("module");
  if (wanted == nullptr || wanted->value.kind != Node::Kind::scalar ||
      has_expression(wanted->value))
    return;
  if (!modules_.contains(wanted->value.text)) report_unknown_module(wanted->value);
}

}  // namespace lbann::compiler
