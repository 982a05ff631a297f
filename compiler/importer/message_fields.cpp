// Scalars, lists, wrapped values, nested messages, and what is not given.
#include "compiler/importer/message_fields.hpp"

#include <algorithm>

#include "compiler/experiment/values/expression.hpp"
#include "compiler/importer/message_keys.hpp"
#include "compiler/importer/prototext_rules.hpp"
#include "compiler/importer/single_precision.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/files/file_name.hpp"

namespace lbann::compiler {

namespace {

std::string in_lower_case(std::string_view text) {
  std::string result(text);
  for (auto& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

FieldInfo const* find_declared(DeclarationType const* type, std::string_view name) {
  if (type == nullptr) return nullptr;
  for (auto const& field : type->fields)
    if (field.name == name) return &field;
  return nullptr;
}

DeclarationType const* find_named(std::vector<DeclarationType const*> const& types,
                                  std::string_view name) {
  for (auto const* type : types)
    if (type->name == name) return type;
  return nullptr;
}

bool is_list_field(FieldInfo const& field) {
  return field.kind == FieldKind::integers || field.kind == FieldKind::reals ||
         field.kind == FieldKind::texts;
}

/// A zero of proto3: what a field that is not given holds.
bool is_zero(Node const& node) {
  if (node.kind == Node::Kind::null) return true;
  if (node.kind != Node::Kind::scalar) return false;
  if (node.quoted) return node.text.empty();
  if (node.text == "false") return true;
  auto const number = scalar_of(node.text);
  if (auto const* whole = std::get_if<std::int64_t>(&number)) return *whole == 0;
  auto const* real = std::get_if<double>(&number);
  return real != nullptr && *real == 0;
}

Node plain_node(std::string text, Span span) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.text = std::move(text);
  node.span = span;
  return node;
}

Node zero_of(FieldInfo const& field, Span span) {
  return plain_node(field.kind == FieldKind::boolean ? "false" : "0", span);
}

/// `{ value: 1 }`, or an empty block for zero: google.protobuf.Int64Value and its like.
Node unwrapped(Node const& given, FieldInfo const* field, Report& report) {
  auto block = field == nullptr ? given : with_known_keys(given, field->name, {"value"}, report);
  if (auto const* held = block.find("value"); held != nullptr && block.entries.size() == 1)
    return held->value;
  if (block.entries.empty() && field != nullptr) return zero_of(*field, block.span);
  return block;
}

/// A text of words as a list, each with its place where the text stands in the file as it is.
Node split_words(Node const& text, bool numbers) {
  Node list;
  list.kind = Node::Kind::sequence;
  list.span = text.span;
  bool const verbatim = text.span.end - text.span.begin == text.text.size() + 2;
  constexpr std::string_view between = " \t\n,";
  for (auto begin = text.text.find_first_not_of(between); begin != std::string::npos;) {
    auto const end = std::min(text.text.find_first_of(between, begin), text.text.size());
    auto word = text;
    word.text = text.text.substr(begin, end - begin);
    word.quoted = !numbers;
    if (verbatim) {
      word.span.begin = text.span.begin + 1 + static_cast<std::uint32_t>(begin);
      word.span.end = text.span.begin + 1 + static_cast<std::uint32_t>(end);
    }
    list.items.push_back(std::move(word));
    begin = text.text.find_first_not_of(between, end);
  }
  return list;
}

/// A number of an enumeration as the name that it has.
void name_enumerator(Node& node, MessageField const& field) {
  auto const* names = find_message_enum(field.type);
  if (names == nullptr || node.kind != Node::Kind::scalar || node.quoted) return;
  for (auto const& [name, number] : names->values)
    if (node.text == std::to_string(number)) node.text = name;
}

/// What a message of a kind is called in words.
std::string words_for(std::string_view kind) {
  if (kind == "algorithm") return "a training algorithm";
  if (kind == "objective") return "an objective term";
  if (kind == "meta_learning_strategy") return "a strategy";
  bool const vowel = !kind.empty() && std::string_view("aeio").find(kind.front()) != kind.npos;
  return (vowel ? "an " : "a ") + std::string(kind);
}

/// The first half of the names of messages that stand in a list of this name.
std::string_view kind_of_part(std::string_view part) {
  if (part == "transforms") return "transform";
  if (part == "callbacks") return "callback";
  if (part == "training_algorithm" || part == "local_training_algorithm") return "algorithm";
  if (part == "selection_strategy") return "callback";
  return part;
}

}  // namespace

Node empty_list(Span span) {
  Node list;
  list.kind = Node::Kind::sequence;
  list.span = span;
  return list;
}

Node single_entry(std::string key, Span key_span, Node value, Span span) {
  Node node;
  node.kind = Node::Kind::mapping;
  node.span = span;
  node.entries.push_back({std::move(key), key_span, std::move(value)});
  return node;
}

Node MessageFields::entry(Node const& given, std::string_view kind,
                          std::vector<DeclarationType const*> const& types) {
  Node node;
  node.kind = Node::Kind::mapping;
  node.span = given.span;
  // A training algorithm has its name beside its `Any`, which stands in a block of its own.
  bool const algorithm = kind == "algorithm";
  auto const block = algorithm ? with_known_keys(given, "training_algorithm",
                                                 further_keys("training_algorithm"), report_)
                               : given;
  auto const* parameters = algorithm ? block.find("parameters") : nullptr;
  auto const* name = algorithm ? block.find("name") : nullptr;
  if (algorithm && parameters == nullptr) {
    report_.add(diagnostics::missing_field, given.span, {"training_algorithm", "`parameters`"});
    return {};
  }
  for (auto const& each : algorithm ? parameters->value.entries : block.entries) {
    bool const any = algorithm || each.key.starts_with('[');
    auto const* type = find_message(each, any, words_for(kind), types, report_);
    if (type == nullptr) return {};
    auto inner = each.value;
    if (name != nullptr) inner.entries.insert(inner.entries.begin(), *name);
    auto body =
        inner.kind == Node::Kind::mapping
            ? fields(inner, std::string(kind) + "." + std::string(type->name), type, each.key_span)
            : inner;
    if (body.kind == Node::Kind::mapping && body.entries.empty()) {
      body = {};
      body.span = each.key_span;
    }
    node.entries.push_back({std::string(type->name), each.key_span, std::move(body)});
  }
  return node;
}

Node MessageFields::fields(Node const& block, std::string_view message, DeclarationType const* type,
                           Span place) {
  Node mapping;
  mapping.kind = Node::Kind::mapping;
  mapping.span = block.span;
  for (auto const& each : checked(block, message, type).entries) add(mapping, each, message, type);
  if (type != nullptr) complete(mapping, message, *type, place);
  return mapping;
}

Node MessageFields::checked(Node const& block, std::string_view message,
                            DeclarationType const* type) {
  if (type == nullptr) return block;
  return with_known_keys(block, message.substr(message.find('.') + 1), message_keys(message, *type),
                         report_);
}

void MessageFields::add(Node& mapping, Entry const& entry, std::string_view message,
                        DeclarationType const* type) {
  auto renamed = entry;
  if (auto const* rename = rename_of(message, entry.key)) {
    if (rename->name.empty()) {
      for (auto const& inner : checked(entry.value, message, type).entries)
        add(mapping, inner, message, type);
      return;
    }
    renamed.key = rename->name;
  }
  if (type != nullptr && add_part(mapping, renamed, *type)) return;
  auto const* field = find_declared(type, renamed.key);
  auto const* const encoded = message_field(message, entry.key);
  if (encoded != nullptr) name_enumerator(renamed.value, *encoded);
  // Keys of simulations have blanks: `(0.0, 0.0)/0.0/emi`.
  auto given = value(renamed.value, field, message != "schema");
  if (encoded != nullptr && encoded->type == "float") round_to_float(given);
  if (field != nullptr) confine(given, *field);
  append(mapping, renamed, std::move(given), field);
}

/// LBANN writes wherever it is asked to; a run of a plan only below its own folder.
void MessageFields::confine(Node& given, FieldInfo const& field) {
  if (!field.written || given.kind != Node::Kind::scalar || stays_within(given.text)) return;
  auto inside = confined(given.text);
  report_.add(diagnostics::path_confined, given.span, {given.text, inside});
  given.text = std::move(inside);
}

bool MessageFields::add_part(Node& mapping, Entry const& entry, DeclarationType const& type) {
  for (auto const& declared : type.parts) {
    bool const member = declared.form == PartForm::entry && find_named(declared.types, entry.key);
    if (declared.name != entry.key && !member) continue;
    // A member of a message's own `oneof` stands under the key the language has for it.
    auto const body = member && declared.name != entry.key
                          ? single_entry(entry.key, entry.key_span, entry.value, entry.value.span)
                          : entry.value;
    auto node = part(declared, body, entry.key_span);
    if (node.kind == Node::Kind::null) return true;  // reported
    auto found = std::find_if(mapping.entries.begin(), mapping.entries.end(),
                              [&](Entry const& each) { return each.key == declared.name; });
    if (!declared.repeated()) {
      append(mapping, {std::string(declared.name), entry.key_span, {}}, std::move(node), nullptr);
    } else if (found != mapping.entries.end()) {
      found->value.items.push_back(std::move(node));
    } else {
      Node list;
      list.kind = Node::Kind::sequence;
      list.span = entry.value.span;
      list.items.push_back(std::move(node));
      mapping.entries.push_back({std::string(declared.name), entry.key_span, std::move(list)});
    }
    return true;
  }
  return false;
}

Node MessageFields::part(PartType const& part, Node const& block, Span place) {
  if (block.kind != Node::Kind::mapping) return block;
  if (part.typed()) return entry(block, kind_of_part(part.name), part.types);
  auto const& type = *part.types.front();
  // The algorithm that KFAC preconditions is a plain message of SGD.
  bool const algorithm = type.name == "sgd";
  bool const strategy = part.name == "metric_name_strategy_map";
  return fields(block,
                algorithm  ? "algorithm.sgd"
                : strategy ? "metric_strategy"
                           : type.name,
                &type, place);
}

/// Scalars in the form the field's reader asks for.
Node MessageFields::value(Node const& node, FieldInfo const* field, bool splits) {
  if (node.kind == Node::Kind::mapping) {
    auto held = unwrapped(node, field, report_);
    return held.kind == Node::Kind::mapping ? held : value(held, field, splits);
  }
  auto const numbers = [&] {
    return field == nullptr || field->kind == FieldKind::integers ||
           field->kind == FieldKind::reals;
  };
  if (node.kind == Node::Kind::numbers) return numbers() ? node : as_sequence(node);
  auto result = node;
  // What looks like an expression is a text here.
  for (auto at = result.text.find("${"); at != std::string::npos;
       at = result.text.find("${", at + 3))
    result.text.insert(at, "$");
  if (field == nullptr) return result;
  auto const lower = in_lower_case(node.text);
  if (field->kind == FieldKind::boolean && !node.quoted) {
    if (lower == "t" || node.text == "1" || lower == "true") result.text = "true";
    if (lower == "f" || node.text == "0" || lower == "false") result.text = "false";
    if (result.text != "true" && result.text != "false") result.quoted = true;  // `yes` is a text
  }
  if (field->kind == FieldKind::choice) {
    auto const known = [&](std::string_view text) {
      return std::find(field->choices.begin(), field->choices.end(), text) != field->choices.end();
    };
    if (!known(node.text) && known(lower)) result.text = lower;
    if (lower.starts_with("default_") && known("default")) result.text = "default";
  }
  if (!is_list_field(*field) || !node.quoted) return result;
  if (splits) return split_words(result, field->kind != FieldKind::texts);
  auto list = empty_list(node.span);
  list.items.push_back(std::move(result));
  return list;
}

/// Puts a value under its key; a second value of a list joins the first.
void MessageFields::append(Node& mapping, Entry const& entry, Node value, FieldInfo const* field) {
  bool const list = field == nullptr || is_list_field(*field);
  // An empty text is one that is not given.
  if (field != nullptr && field->presence == Presence::optional && value.quoted &&
      value.text.empty() && value.kind == Node::Kind::scalar)
    return;
  auto const found = std::find_if(mapping.entries.begin(), mapping.entries.end(),
                                  [&](Entry const& each) { return each.key == entry.key; });
  if (found == mapping.entries.end() && !list && value.kind == Node::Kind::sequence &&
      value.items.size() > 1) {
    report_.add(diagnostics::duplicate_key, value.items[1].span, {entry.key})
        .labels.push_back({entry.key_span, "first here"});
    return;
  }
  if (found == mapping.entries.end()) {
    mapping.entries.push_back({entry.key, entry.key_span, std::move(value)});
    return;
  }
  if (!list || entry.value.kind == Node::Kind::mapping) {
    report_.add(diagnostics::duplicate_key, entry.key_span, {entry.key})
        .labels.push_back({found->key_span, "first here"});
    return;
  }
  auto& held = found->value;
  held = as_sequence(std::move(held));  // fields that are interrupted by others
  value = as_sequence(std::move(value));
  if (held.kind != Node::Kind::sequence) {
    Node sequence;
    sequence.kind = Node::Kind::sequence;
    sequence.span = held.span;
    sequence.items.push_back(std::move(held));
    held = std::move(sequence);
  }
  held.span.end = std::max(held.span.end, value.span.end);
  if (value.kind == Node::Kind::sequence)
    for (auto& node : value.items) held.items.push_back(std::move(node));
  else
    held.items.push_back(std::move(value));
}

void MessageFields::leave_out_zeros(Node& list, PrototextRule const& rule) {
  auto const leave_out = [&](Node const& number) {
    if (!is_zero(number)) return false;
    report_.add(diagnostics::no_effect, number.span,
                {"0 in `" + std::string(rule.field) + "`", std::string(rule.warning)});
    return true;
  };
  list = as_sequence(std::move(list));
  if (list.kind == Node::Kind::sequence)
    std::erase_if(list.items, leave_out);
  else if (leave_out(list))
    list = empty_list(list.span);
}

void MessageFields::complete(Node& mapping, std::string_view message, DeclarationType const& type,
                             Span place) {
  auto& entries = mapping.entries;
  auto const given = [&](std::string_view name) {
    return std::find_if(entries.begin(), entries.end(),
                        [&](Entry const& each) { return each.key == name; });
  };
  auto const zero = [&](PrototextRule const& rule) {
    auto const found = given(rule.field);
    auto const* field = find_declared(&type, rule.field);
    return found == entries.end() ||
           (field != nullptr && !is_list_field(*field) && is_zero(found->value));
  };
  auto const rules = rules_of(message);
  // Groups of which every field is zero.
  std::vector<std::string_view> unset;
  for (auto const* rule : rules)
    if (!rule->group.empty() && std::all_of(rules.begin(), rules.end(), [&](auto const* other) {
          return other->group != rule->group || zero(*other);
        }))
      unset.push_back(rule->group);
  for (auto const* rule : rules) {
    auto const* field = find_declared(&type, rule->field);
    if (field != nullptr && rule->absent == Absent::on && given(rule->field) == entries.end()) {
      entries.push_back({std::string(rule->field), place, plain_node("true", place)});
      continue;
    }
    if (field != nullptr && rule->absent == Absent::one && given(rule->field) == entries.end()) {
      entries.push_back({std::string(rule->field), place, plain_node("1", place)});
      continue;
    }
    if (field != nullptr && rule->absent == Absent::inert && given(rule->field) != entries.end())
      leave_out_zeros(given(rule->field)->value, *rule);
    if (field == nullptr || rule->absent == Absent::optional || rule->absent == Absent::inert ||
        !zero(*rule))
      continue;
    auto const found = given(rule->field);
    bool const whole =
        rule->group.empty() || std::find(unset.begin(), unset.end(), rule->group) != unset.end();
    if (rule->absent == Absent::patched && whole) {
      if (found != entries.end()) entries.erase(found);
      continue;
    }
    if (found != entries.end()) continue;  // a zero that is written is meant
    entries.push_back({std::string(rule->field), place, zero_of(*field, place)});
    if (!rule->warning.empty())
      report_.add(diagnostics::zero_by_default, place,
                  {std::string(rule->field), std::string(rule->warning)});
  }
  // LBANN's messages have no type: it is FP16.
  if (message == "amp") entries.push_back({"type", place, plain_node("fp16", place)});
  // proto3 has no required fields: numbers that are not given are zero, lists empty, and the data
  // of a path that is not given are missed by a run.
  for (auto const& field : type.fields) {
    bool const number = field.kind == FieldKind::integer || field.kind == FieldKind::real ||
                        field.kind == FieldKind::boolean;
    if (field.presence != Presence::required || given(field.name) != entries.end()) continue;
    if (number) entries.push_back({std::string(field.name), place, zero_of(field, place)});
    if (field.path && field.kind == FieldKind::text) {
      report_.add(diagnostics::missing_for_lbann, place,
                  {std::string(field.name), "so will a run of this plan"});
      entries.push_back({std::string(field.name), place, plain_node("", place)});
      entries.back().value.quoted = true;
    }
    if (!is_list_field(field)) continue;
    Node empty;
    empty.kind = Node::Kind::sequence;
    empty.span = place;
    entries.push_back({std::string(field.name), place, std::move(empty)});
  }
}

}  // namespace lbann::compiler
