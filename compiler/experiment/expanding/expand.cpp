// Writing a document out, from the top.
#include "compiler/experiment/expanding/expand.hpp"

#include <algorithm>
#include <iterator>

#include "compiler/experiment/expanding/expansion.hpp"
#include "compiler/experiment/expanding/settings.hpp"
#include "compiler/experiment/expanding/weights_in_place.hpp"
#include "compiler/experiment/values/entries.hpp"
#include "compiler/experiment/values/fields.hpp"
#include "compiler/experiment/values/scalars.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

constexpr std::int64_t most_rounds = 1'000'000;

/// Rounds of a `repeat` whose problems are told; more of them say the same again.
constexpr int most_faulty_rounds = 16;

FieldInfo const times_field{"times",
                            {},
                            {},
                            FieldKind::integer,
                            Presence::required,
                            {},
                            {},
                            {.least = 0, .most = static_cast<double>(most_rounds)}};

/// What a scope holds of a variable: itself, and each value of its mappings by a name of its own.
Volume copies_of(Node const& node) {
  auto volume = volume_of(node);
  for (auto const& entry : node.entries) volume = volume + copies_of(entry.value);
  return volume;
}

}  // namespace

Node text_node(std::string text, Span span) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.quoted = true;
  node.text = std::move(text);
  node.span = span;
  return node;
}

std::string name_of(Node& layer, std::size_t number) {
  auto const* name = field_of(layer, "name");
  return name != nullptr ? name->text : layer.entries.front().key + "_" + std::to_string(number);
}

Node const* fields_of(Node const& node, std::string_view key) {
  if (node.kind != Node::Kind::mapping || node.entries.size() != 1) return nullptr;
  return node.entries.front().key == key ? &node.entries.front().value : nullptr;
}

Entry* single_entry(Node& node) {
  if (node.kind != Node::Kind::mapping || node.entries.size() != 1) return nullptr;
  auto& entry = node.entries.front();
  bool const fields =
      entry.value.kind == Node::Kind::mapping || entry.value.kind == Node::Kind::null;
  return fields ? &entry : nullptr;
}

Node* field_of(Node& layer, std::string_view key) {
  auto* entry = single_entry(layer);
  if (entry == nullptr) return nullptr;
  for (auto& field : entry->value.entries)
    if (field.key == key) return &field.value;
  return nullptr;
}

void add_field(Node& layer, std::string_view key, Span key_span, Node value) {
  auto& body = layer.entries.front().value;
  if (body.kind == Node::Kind::null) {
    body.kind = Node::Kind::mapping;
    body.span = layer.entries.front().key_span;
  }
  body.entries.push_back({std::string(key), key_span, std::move(value)});
}

Span Expansion::moved(Span span, Round* round) {
  if (round == nullptr || !span.known()) return span;
  auto const written =
      sources_[span.file].copy_of == Span::no_file ? span.file : sources_[span.file].copy_of;
  auto const [place, added] =
      round->copies.try_emplace(written, static_cast<std::uint32_t>(sources_.size()));
  if (added) sources_.push_back({{}, {}, written, round->cause, round->words});
  return {place->second, span.begin, span.end};
}

void Expansion::move_into(Node& node, Round* round) {
  if (round == nullptr) return;
  node.span = moved(node.span, round);
  for (auto& entry : node.entries) entry.key_span = moved(entry.key_span, round);
}

bool Expansion::within_limits(Span place, Volume volume) {
  if (stopped_) return false;
  stopped_ = !budget_.take(volume, place, "repeats and calls", report_);
  return !stopped_;
}

Node Expansion::written_out(Node node, Scope& scope, Round* round) {
  if (round != nullptr) {
    Volume own{1, node.text.size()};
    for (auto const& entry : node.entries) {
      own.bytes += entry.key.size();
      // The user's own entries are not looked into, but copied as the others are.
      if (entry.key.starts_with("x-")) own = own + volume_of(entry.value);
    }
    if (!within_limits(node.span, own)) return node;
  }
  move_into(node, round);
  if (node.kind == Node::Kind::sequence) {
    std::vector<Node> written;
    auto const list = std::move(node);
    node = Node{};
    node.kind = Node::Kind::sequence;
    node.span = list.span;
    write_list(list, scope, round, written);
    node.items = std::move(written);
    return node;
  }
  for (auto& entry : node.entries)
    if (!entry.key.starts_with("x-"))
      entry.value = written_out(std::move(entry.value), scope, round);
  substitution_.replace_scalar(node, scope);
  return node;
}

template <class Body>
bool Expansion::each_round(Node const& fields, Span place, Scope& scope, Round* round, Body body) {
  if (fields.kind != Node::Kind::mapping) {
    report_.add(diagnostics::wrong_type, moved(fields.span, round),
                {"repeat", "a mapping with `times` and `entries`", describe(fields)});
    return true;
  }
  // Its own fields are values of the surroundings, its entries are not.
  Node keys, frame;
  keys.kind = frame.kind = Node::Kind::mapping;
  keys.span = frame.span = fields.span;
  for (auto const& entry : fields.entries) {
    keys.entries.push_back({entry.key, moved(entry.key_span, round), {}});
    if (entry.key != "entries") frame.entries.push_back(entry);
  }
  if (!check_keys(keys, "repeat", repeat_keys, report_)) return true;
  auto const known = report_.diagnostics().size();
  frame = written_out(std::move(frame), scope, round);
  if (report_.diagnostics().size() != known) return true;  // what follows from it is not told
  auto const* times = frame.find("times");
  auto const* entries = fields.find("entries");
  if (times == nullptr || entries == nullptr) {
    report_.add(diagnostics::missing_field, moved(place, round),
                {"repeat", times == nullptr ? "`times`" : "`entries`"});
    return true;
  }
  auto const kind = entries->value.kind;
  if (kind != Node::Kind::sequence && kind != Node::Kind::null) {
    report_.add(diagnostics::wrong_type, moved(entries->value.span, round),
                {"entries", "a list", describe(entries->value)});
    return true;
  }
  auto const count = read_value(times->value, times_field, report_);
  std::string index = "index";
  if (auto const* named = frame.find("index")) index = named->value.text;
  bool const enabled = is_enabled(frame, report_);
  if (!count) return true;
  auto const rounds = std::get<std::int64_t>(*count);
  if (!enabled || rounds == 0) {
    check_unreached_entries(entries->value, index, scope);
    return false;
  }
  int faulty = 0;
  for (std::int64_t i = 0; i < rounds && !stopped_ && faulty < most_faulty_rounds; ++i) {
    auto const before = report_.diagnostics().size();
    Node number;
    number.kind = Node::Kind::scalar;
    number.text = std::to_string(i);
    number.span = times->value.span;
    Scope inner(&scope);
    inner.add(index, number, times->value.span, Scope::State::good);
    Round copy{
        moved(place, round), "in the round of `repeat` with `" + index + "` " + number.text, {}};
    within_limits(entries->value.span, {1, 0});
    body(entries->value, inner, copy);
    faulty += report_.diagnostics().size() != before ? 1 : 0;
  }
  return true;
}

/// An entry with the fields of a `repeat` and another name: its entries are not looked at, since
/// they use an index that nobody gave.
bool Expansion::is_misspelt_repeat(Node const& node, Round* round) {
  if (node.kind != Node::Kind::mapping || node.entries.size() != 1) return false;
  auto const& entry = node.entries.front();
  if (entry.key == "repeat" || entry.value.find("times") == nullptr ||
      entry.value.find("entries") == nullptr)
    return false;
  report_.add(diagnostics::unknown_type, moved(entry.key_span, round), {entry.key, "an entry"})
      .suggestions = {"repeat"};
  return true;
}

void Expansion::write_list(Node const& list, Scope& scope, Round* round, std::vector<Node>& into) {
  for (auto const& node : list.items) {
    if (is_misspelt_repeat(node, round)) continue;
    if (auto const* fields = fields_of(node, "repeat"))
      each_round(*fields, node.entries.front().key_span, scope, round,
                 [&](Node const& entries, Scope& inner, Round& copy) {
                   write_list(entries, inner, &copy, into);
                 });
    else
      into.push_back(written_out(node, scope, round));
    if (stopped_) return;
  }
}

void Expansion::write_layers(Node const& list, Scope& scope, Round* round, LayerList& into) {
  for (auto const& node : list.items) {
    if (is_misspelt_repeat(node, round)) continue;
    if (auto const* fields = fields_of(node, "repeat")) {
      auto const write = [&](Node const& entries, Scope& inner, Round& copy) {
        write_layers(entries, inner, &copy, into);
      };
      if (!each_round(*fields, node.entries.front().key_span, scope, round, write))
        keep_unreached(&fields->find("entries")->value);
    } else if (auto const* call = fields_of(node, "call"))
      write_call(*call, node.entries.front().key_span, scope, round, into);
    else
      write_layer(node, scope, round, into);
    if (stopped_) return;
  }
}

void Expansion::write_layer(Node const& node, Scope& scope, Round* round, LayerList& into) {
  auto layer = written_out(node, scope, round);
  auto* entry = single_entry(layer);
  if (entry == nullptr) {
    into.layers.push_back(std::move(layer));  // told of when layers are read
    return;
  }
  auto const number = ++into.counts[entry->key];
  auto const* type = types_.find(entry->key);
  bool const takes_parents = type == nullptr || type->parents.most != 0;
  Report unseen;
  if (is_enabled(entry->value, unseen)) {
    auto const* given = entry->value.find("parents");
    if (given == nullptr && takes_parents && !into.must_choose.empty()) {
      auto& diagnostic =
          report_.add(diagnostics::ambiguous_output, entry->key_span,
                      {into.must_choose,
                       std::to_string(into.choices.size()) +
                           (open_.empty() || !into.before.empty() ? " outputs" : " inputs"),
                       "the `" + entry->key + "` that follows"});
      for (std::size_t i = 0; i < into.choices.size() && i < 3; ++i)
        diagnostic.suggestions.push_back("parents: " + into.choices[i]);
    }
    if (given == nullptr && takes_parents && !into.must_follow.empty()) {
      add_field(layer, "parents", entry->key_span, text_node(into.must_follow, entry->key_span));
    }
    into.must_follow.clear();
    into.must_choose.clear();
    into.before = name_of(layer, number);
  }
  // Entries that calls write out do not count for the names of others.
  bool const counted_elsewhere = open_.empty() && into.calls.empty();
  if (!counted_elsewhere && field_of(layer, "name") == nullptr) {
    auto const place = layer.entries.front().key_span;
    add_field(layer, "name", place, text_node(name_of(layer, number), place));
  }
  into.layers.push_back(std::move(layer));
}

/// Files that are included may hold more than one experiment needs.
void Expansion::note_unused(Scope& variables, FreeVariables const& free, std::uint32_t file) {
  if (report_.has_errors()) return;
  auto const note = [&](std::string const& name, Span place, std::string words) {
    if (place.file == file) report_.add(diagnostics::no_effect, place, {name, std::move(words)});
  };
  for (auto const& [name, binding] : variables.bindings())
    if (!binding.used && !free.names.contains(name) && name.find('.') == std::string::npos &&
        !name.starts_with("x-"))
      note(name, binding.key_span, "nothing uses the variable");
  for (auto const& [name, module] : modules_)
    if (!free.modules.contains(name)) note(name, module.span, "nothing calls the module");
}

void Expansion::run(Node& root) {
  if (root.kind != Node::Kind::mapping) return;
  Scope variables;
  if (auto const* section = root.find("variables"); section != nullptr)
    for (auto const& entry : section->value.entries)
      if (budget_.take(copies_of(entry.value), entry.key_span, "variables", report_))
        variables.add(entry.key, entry.value, entry.key_span, Scope::State::untouched);
  if (!budget_.exhausted()) substitution_.evaluate_all(variables);
  if (budget_.exhausted()) return;  // what follows from it is not told
  if (auto const* section = root.find("modules")) modules_ = read_modules(section->value, report_);
  auto const free = free_variables_of(root, modules_);
  for (auto& entry : root.entries) {
    if (entry.key.starts_with("x-") || entry.key == "variables" || entry.key == "modules") continue;
    if (entry.key != "model" || entry.value.kind != Node::Kind::mapping) {
      entry.value = written_out(std::move(entry.value), variables, nullptr);
      continue;
    }
    LayerList list;
    for (auto& part : entry.value.entries) {
      if (part.key.starts_with("x-")) continue;
      if (part.key != "layers" || part.value.kind != Node::Kind::sequence) {
        part.value = written_out(std::move(part.value), variables, nullptr);
        continue;
      }
      write_layers(part.value, variables, nullptr, list);
      resolve_names(list, nullptr, {}, "");
      if (stopped_) list.layers.clear();  // too many to be looked at further
      part.value.items = std::move(list.layers);
    }
    for (auto& part : entry.value.entries)
      if (part.key == "objective_function" || part.key == "metrics")
        resolve_measures(part.value, list);
    put_settings_into_layers(entry.value, budget_, report_);
    gather_weights(entry.value, report_);
  }
  check_modules(variables);
  note_unused(variables, free, root.span.file);
  auto section = std::ranges::find(root.entries, "modules", &Entry::key);
  if (section != root.entries.end())
    for (auto& module : section->value.entries)
      if (called_.contains(module.key))
        std::erase_if(module.value.entries, [](Entry const& each) { return each.key == "layers"; });
  if (unreached_.empty()) return;
  if (section == root.entries.end())
    section = root.entries.insert(section, {"modules", root.span, {}});
  section->value.kind = Node::Kind::mapping;
  std::ranges::move(unreached_, std::back_inserter(section->value.entries));
}

void expand(Document& document, LayerTypes const& types, std::vector<Source>& sources,
            Budget& budget, Report& report) {
  Expansion(types, sources, budget, report).run(document.root);
}

}  // namespace lbann::compiler
