// Calls of modules: parameters bound, layers written, names made unique, weights shared.
#include <algorithm>

#include "compiler/experiment/expanding/expansion.hpp"
#include "compiler/experiment/expanding/weights_in_place.hpp"
#include "compiler/experiment/values/entries.hpp"
#include "compiler/experiment/values/fields.hpp"
#include "compiler/experiment/values/scalars.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

constexpr std::size_t deepest_calls = 50;

/// What the first layer of a module follows where the module names no inputs; no layer can have
/// this name.
constexpr std::string_view only_input = " input";

/// Whether the fields of a call that are names are texts; a report otherwise.
bool names_are_texts(Node const& call, Report& report) {
  bool good = true;
  for (auto const& entry : call.entries) {
    bool const list = entry.key == "parents";
    if (!list && entry.key != "module" && entry.key != "name" && entry.key != "prefix" &&
        entry.key != "weights_of")
      continue;
    FieldInfo const field{entry.key,          {}, {}, list ? FieldKind::texts : FieldKind::text,
                          Presence::optional, {}, {}};
    good = read_value(entry.value, field, report).has_value() && good;
  }
  return good;
}

/// Adds the name of a call to the path of those that have written a layer, outermost first.
void note_call(Node& layer, std::string const& name) {
  if (auto* path = field_of(layer, calls_field))
    path->text = name + "/" + path->text;
  else if (layer.kind == Node::Kind::mapping && layer.entries.size() == 1)
    add_field(layer, calls_field, Span{}, text_node(name, Span{}));
}

std::string parents_text(std::size_t count) {
  return count == 0 ? "no parents" : std::to_string(count) + (count == 1 ? " parent" : " parents");
}

}  // namespace

bool Expansion::bind_parameters(Module const& module, Node const* given, Span place, Scope& outer,
                                Scope& scope) {
  bool good = true;
  if (given != nullptr && given->kind == Node::Kind::null) given = nullptr;
  if (given != nullptr && given->kind != Node::Kind::mapping) {
    report_.add(diagnostics::wrong_type, given->span,
                {"with", "a mapping of parameters", describe(*given)});
    return false;
  }
  std::vector<std::string_view> names;
  for (auto const& parameter : module.parameters) names.push_back(parameter.name);
  if (given != nullptr) good = check_keys(*given, module.name, names, report_);
  std::vector<std::string_view> missing;
  for (auto const& parameter : module.parameters) {
    auto const* entry = given == nullptr ? nullptr : given->find(parameter.name);
    Node value;
    if (entry != nullptr) {
      value = entry->value;
    } else if (parameter.default_value != nullptr) {
      value = *parameter.default_value;
      good = substitution_.replace_all(value, outer.outermost()) && good;
    } else {
      missing.push_back(parameter.name);
      continue;
    }
    good = read_value(value, parameter.info, report_).has_value() && good;
    scope.add(parameter.name, value, parameter.span, Scope::State::good);
  }
  if (!missing.empty() && good)
    report_.add(diagnostics::missing_field, place, {module.name, alternatives(missing, " and ")})
        .labels.push_back({module.span, "the module"});
  return good && missing.empty();
}

std::optional<std::vector<Node>> Expansion::parents_of_call(Module const& module,
                                                            std::string const& name,
                                                            Node const* given, Span place,
                                                            LayerList const& outer) {
  std::vector<Node> parents;
  auto const wanted = std::max<std::size_t>(module.inputs.size(), 1);
  if (given == nullptr) {
    if (module.inputs.size() > 1) {
      report_.add(diagnostics::parent_count, place, {name, parents_text(wanted), "0"});
      return std::nullopt;
    }
    auto const& before = outer.must_follow.empty() ? outer.before : outer.must_follow;
    if (!before.empty()) parents.push_back(text_node(before, place));
    return parents;
  }
  if (given->kind == Node::Kind::scalar) parents.push_back(*given);
  parents.insert(parents.end(), given->items.begin(), given->items.end());
  if (parents.size() != wanted) {
    report_
        .add(diagnostics::parent_count, given->span,
             {name, parents_text(wanted), std::to_string(parents.size())})
        .labels.push_back({module.span, "the module"});
    return std::nullopt;
  }
  return parents;
}

void Expansion::report_unknown_module(Node const& name) {
  std::vector<std::string_view> known;
  for (auto const& [module, declared] : modules_) known.push_back(module);
  report_.add(diagnostics::unknown_module, name.span, {name.text}).suggestions =
      nearest(name.text, known);
}

void Expansion::write_call(Node const& fields, Span place, Scope& scope, Round* round,
                           LayerList& into) {
  auto const here = moved(place, round);
  auto const known = report_.diagnostics().size();
  auto const frame = written_out(fields, scope, round);
  if (report_.diagnostics().size() != known) return;  // what follows from it is not told
  if (frame.kind != Node::Kind::mapping) {
    report_.add(diagnostics::wrong_type, frame.span,
                {"call", "a mapping such as `{module: block}`", describe(frame)});
    return;
  }
  if (!check_keys(frame, "call", call_keys, report_) || !names_are_texts(frame, report_) ||
      !is_enabled(frame, report_))
    return;
  auto const value = [&](std::string_view key) {
    auto const* entry = frame.find(key);
    return entry == nullptr ? nullptr : &entry->value;
  };
  auto const* wanted = value("module");
  if (wanted == nullptr) {
    report_.add(diagnostics::missing_field, here, {"call", "`module`"});
    return;
  }
  auto const found = modules_.find(wanted->text);
  if (found == modules_.end()) {
    report_unknown_module(*wanted);
    return;
  }
  auto const& module = found->second;
  if (module.layers == nullptr) return;  // what is wrong with it has been told
  called_.insert(module.name);
  bool const circle = std::find(open_.begin(), open_.end(), module.name) != open_.end();
  if (circle || open_.size() >= deepest_calls) {
    std::string path;
    for (auto const& name : open_) path += "`" + name + "` -> ";
    report_.add(diagnostics::module_cycle, wanted->span, {path + "`" + module.name + "`"});
    stopped_ = true;
    return;
  }
  auto const number = ++into.counts["call " + module.name];
  auto const* given_name = value("name");
  auto const name =
      given_name != nullptr ? given_name->text : module.name + "_" + std::to_string(number);
  auto const name_place = given_name != nullptr ? given_name->span : here;
  if (auto const [known, added] = into.call_places.emplace(name, name_place); !added) {
    report_.add(diagnostics::duplicate_name, name_place, {"calls", name})
        .labels.push_back({known->second, "first here"});
    return;
  }
  auto const* given_prefix = value("prefix");
  into.prefixes[name] = given_prefix != nullptr ? given_prefix->text : name + "_";
  if (auto const* shared = value("weights_of"))
    if (auto const other = into.modules_of_calls.find(shared->text);
        other == into.modules_of_calls.end() || other->second != module.name) {
      std::vector<std::string_view> known;
      for (auto const& [call, of] : into.modules_of_calls)
        if (of == module.name) known.push_back(call);
      report_.add(diagnostics::unknown_call, shared->span, {module.name, shared->text})
          .suggestions = nearest(shared->text, known);
      return;
    }
  Scope inner(&scope.outermost());
  if (!bind_parameters(module, value("with"), here, scope, inner)) return;
  auto const parents = parents_of_call(module, name, value("parents"), here, into);
  if (!parents) return;

  constexpr std::size_t values_of_a_call = 50;
  if (!within_limits(here, {values_of_a_call, 0})) return;
  Round call{here, "in the call `" + name + "` of module `" + module.name + "`", {}};
  LayerList list;
  if (module.inputs.size() > 1) {
    list.must_choose = module.name;
    list.choices = module.inputs;
  } else {
    list.must_follow = module.inputs.empty() ? std::string(only_input) : module.inputs.front();
  }
  open_.push_back(module.name);
  write_layers(*module.layers, inner, &call, list);
  open_.pop_back();
  if (stopped_) return;
  finish_call(module, name, *parents, value("weights_of"), list, into, call);
}

/// Layers take the weights of those of the call whose names begin with `from`, and declare none.
void Expansion::share_weights(LayerList& inner, std::string const& from, std::string const& prefix,
                              Span place) {
  auto const declared = declared_weights(inner.layers);
  for (auto& layer : inner.layers) {
    auto const* own = field_of(layer, "name");
    if (own == nullptr || field_of(layer, "weights_of") != nullptr) continue;
    auto const shared = from + own->text.substr(prefix.size());
    bool const declares = names_weights(layer, declared);
    if (declares)
      std::erase_if(layer.entries.front().value.entries,
                    [](Entry const& field) { return field.key == "weights"; });
    if (!within_limits(place, {1, shared.size()})) return;
    add_field(layer, "weights_of", Span{}, text_node(shared, place));
  }
}

void Expansion::finish_call(Module const& module, std::string const& name,
                            std::vector<Node> const& parents, Node const* shared, LayerList& inner,
                            LayerList& outer, Round& call) {
  auto const& prefix = outer.prefixes.at(name);
  std::vector<std::string> outputs;
  for (std::size_t i = 0; i < module.outputs.size(); ++i) {
    auto output = text_node(module.outputs[i], moved(module.output_spans[i], &call));
    resolve_name(output, inner, &module, parents, prefix, names_in(inner));
    outputs.push_back(output.text);
  }
  if (module.outputs.empty() && !inner.before.empty()) outputs.push_back(prefix + inner.before);
  resolve_names(inner, &module, parents, prefix);
  if (shared != nullptr)
    share_weights(inner, outer.prefixes.at(shared->text), prefix, shared->span);

  auto const* last = inner.layers.empty() ? nullptr : field_of(inner.layers.back(), "name");
  outer.must_follow.clear();
  outer.must_choose.clear();
  if (outputs.size() > 1) {
    outer.must_choose = name;
    outer.choices.clear();
    for (std::size_t i = 0; i < outputs.size(); ++i)
      outer.choices.push_back(name + "." + std::to_string(i));
  } else if (!outputs.empty()) {
    outer.before = outputs.front();
    if (last == nullptr || last->text != outputs.front()) outer.must_follow = outputs.front();
  }
  outer.calls[name] = std::move(outputs);
  outer.modules_of_calls[name] = module.name;
  for (auto& layer : inner.layers) {
    note_call(layer, name);
    outer.layers.push_back(std::move(layer));
  }
}

}  // namespace lbann::compiler
