// Edits are written in YAML's notation.
#include "compiler/experiment/values/translation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/experiment/values/expression.hpp"

namespace lbann::compiler {

namespace {

/// The value of a field of ours for theirs; empty where that is not known.
std::string changed_value(Node const& value, ValueChange change) {
  if (value.kind != Node::Kind::scalar || value.quoted) return {};
  auto const scalar = scalar_of(value.text);
  if (change == ValueChange::negation) {
    auto const* truth = std::get_if<bool>(&scalar);
    return truth == nullptr ? "" : *truth ? "false" : "true";
  }
  double number = 0;
  if (auto const* whole = std::get_if<std::int64_t>(&scalar))
    number = static_cast<double>(*whole);
  else if (auto const* real = std::get_if<double>(&scalar))
    number = *real;
  else
    return {};
  return fmt::format("{:.12g}", 1 - number);
}

Node scalar_of_text(std::string text) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.text = std::move(text);
  return node;
}

std::string words_of(ForeignName const& row) {
  if (row.ours.empty()) return std::string(row.note);
  auto words = "`" + std::string(row.ours) + "`";
  if (!row.adds.empty()) words += " with `" + std::string(row.adds) + "`";
  if (!row.note.empty()) words += ": " + std::string(row.note);
  return words;
}

/// Adds suggestions and notes; edits depend on what stands beside the name.
void explain(Diagnostic& diagnostic, std::vector<ForeignName const*> const& found) {
  std::vector<std::string> ours;
  for (auto const* row : found) {
    if (!row->ours.empty()) ours.emplace_back(row->ours);
    if (!row->note.empty() || !row->adds.empty()) diagnostic.notes.push_back(words_of(*row));
  }
  if (ours.empty() && !found.empty()) diagnostic.suggestions.clear();
  suggest_first(diagnostic, ours);
}

std::string_view trimmed(std::string_view text) {
  auto const begin = text.find_first_not_of(' ');
  return begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

/// A value of Python in YAML: tuples are lists, and a `None` is left out.
std::string python_value(std::string_view text) {
  if (text == "True") return "true";
  if (text == "False") return "false";
  if (text.starts_with('(') && text.ends_with(')')) {
    auto inside = trimmed(text.substr(1, text.size() - 2));
    if (inside.ends_with(',')) inside = trimmed(inside.substr(0, inside.size() - 1));
    return "[" + std::string(inside) + "]";
  }
  return std::string(text);
}

std::vector<std::string_view> parts_at_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '[') ++depth;
    if (text[i] == ')' || text[i] == ']') --depth;
    if (text[i] == ',' && depth == 0) {
      parts.push_back(trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  if (auto const last = trimmed(text.substr(begin)); !last.empty()) parts.push_back(last);
  return parts;
}

bool is_python_name(std::string_view text) {
  constexpr std::string_view first = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  return !text.empty() && first.find(text[0]) != first.npos &&
         std::ranges::all_of(text, [&](char c) {
           return first.find(c) != first.npos || c == '.' || (c >= '0' && c <= '9');
         });
}

}  // namespace

ForeignName const* explain_foreign_type(Diagnostic& diagnostic, Entry const& entry,
                                        std::vector<std::string_view> const& accepted) {
  auto const found = translations(entry.key, accepted);
  explain(diagnostic, found);
  if (found.size() != 1) return nullptr;
  auto const& row = *found.front();
  if (row.ours.empty()) return nullptr;
  if (!row.note.empty()) return &row;
  diagnostic.edits = {{entry.key_span, std::string(row.ours)}};
  if (row.adds.empty()) return &row;
  auto const& body = entry.value;
  // Before the first field: between braces, or on a line of its own.
  if (body.kind == Node::Kind::mapping && !body.entries.empty()) {
    auto const begin = body.entries.front().key_span.begin;
    auto const* const end = body.span.begin < begin ? ", " : "\n";
    diagnostic.edits.push_back({{body.span.file, begin, begin}, std::string(row.adds) + end});
  } else {
    diagnostic.edits.clear();
  }
  return &row;
}

std::string explain_foreign_field(Diagnostic& diagnostic, Node const& mapping, Entry const& entry,
                                  std::vector<std::string_view> const& accepted) {
  auto const found = translations(entry.key, accepted);
  explain(diagnostic, found);
  if (found.size() != 1) return {};
  auto const& row = *found.front();
  std::string ours(row.ours);
  switch (row.change) {
    case ValueChange::none:
      if (!ours.empty() && row.note.empty()) diagnostic.edits = {{entry.key_span, ours}};
      break;
    case ValueChange::left_out:
      if (entry.value.kind != Node::Kind::null) diagnostic.edits = {removal(mapping, entry)};
      break;
    case ValueChange::complement:
    case ValueChange::negation: {
      auto const value = changed_value(entry.value, row.change);
      if (value.empty()) break;
      suggest_first(diagnostic, {ours + ": " + value});
      diagnostic.suggestions.resize(1);
      diagnostic.edits = {{entry.key_span, ours}, {entry.value.span, value}};
    }
  }
  return ours;
}

TextEdit removal(Node const& mapping, Entry const& entry) {
  auto const& entries = mapping.entries;
  auto const at = std::ranges::find(entries, entry.key_span.begin,
                                    [](Entry const& each) { return each.key_span.begin; });
  auto span = entry.key_span;
  span.end = entry.value.span.end;
  if (at != entries.end() && at + 1 != entries.end())
    span.end = (at + 1)->key_span.begin;
  else if (at != entries.end() && at != entries.begin() && (at - 1)->value.kind != Node::Kind::null)
    span.begin = (at - 1)->value.span.end;
  return {span, {}};
}

std::optional<CallText> call_text(std::string_view text) {
  auto const open = text.find('(');
  if (open == text.npos || !text.ends_with(')')) return std::nullopt;
  auto const name = text.substr(0, open);
  if (!is_python_name(name)) return std::nullopt;
  CallText call{std::string(bare_name(name)), {}};
  for (auto const part : parts_at_commas(text.substr(open + 1, text.size() - open - 2))) {
    auto const equals = part.find('=');
    auto const key = equals == part.npos ? "" : trimmed(part.substr(0, equals));
    auto const value = equals == part.npos ? part : trimmed(part.substr(equals + 1));
    if (equals != part.npos && !is_python_name(key)) return std::nullopt;
    call.arguments.push_back({std::string(key), python_value(value)});
  }
  return call;
}

TranslatedEntry translated_entry(DeclarationType const& type, CallText const& call) {
  std::vector<std::string_view> accepted;
  for (auto const& field : type.fields) accepted.push_back(field.name);
  TranslatedEntry result{{}, true};
  std::string fields;
  std::vector<std::string_view> given;
  auto const add = [&](std::string_view name, std::string_view value) {
    fields += fmt::format("{}{}: {}", fields.empty() ? "" : ", ", name, value);
    given.push_back(name);
  };
  for (auto const* row : translations(call.name, {type.name}))
    if (!row->adds.empty()) {
      fields = row->adds;
      given.push_back(row->adds.substr(0, row->adds.find(':')));
    }
  for (auto const& argument : call.arguments) {
    auto const known = std::ranges::find(accepted, argument.name);
    auto const rows = translations(argument.name, accepted);
    if (known != accepted.end()) {
      add(*known, argument.value);
    } else if (rows.size() == 1 && rows[0]->change == ValueChange::left_out) {
      continue;
    } else if (rows.size() == 1 && !rows[0]->ours.empty()) {
      auto const change = rows[0]->change;
      auto const value = change == ValueChange::none
                             ? argument.value
                             : changed_value(scalar_of_text(argument.value), change);
      add(rows[0]->ours, value.empty() ? "..." : value);
      result.whole = result.whole && !value.empty();
    } else {
      result.whole = false;
    }
  }
  for (auto const& field : type.fields)
    if (field.presence == Presence::required &&
        std::ranges::find(given, field.name) == given.end()) {
      add(field.name, "...");
      result.whole = false;
    }
  result.text = std::string(type.name) + ":" + (fields.empty() ? "" : " {" + fields + "}");
  return result;
}

std::optional<Tuple> tuple_at(Node const& mapping, std::size_t first) {
  auto const& value = mapping.entries[first].value;
  if (value.kind != Node::Kind::scalar || value.quoted || !value.text.starts_with('('))
    return std::nullopt;
  std::string inside = value.text;
  Tuple tuple{{}, 1, value.span};
  while (!inside.ends_with(')')) {  // keys without values, up to the closing one
    auto const next = first + tuple.entries;
    if (next == mapping.entries.size() || mapping.entries[next].value.kind != Node::Kind::null)
      return std::nullopt;
    inside += ", " + mapping.entries[next].key;
    tuple.span.end = mapping.entries[next].key_span.end;
    ++tuple.entries;
  }
  if (inside.find(',') == std::string::npos) return std::nullopt;
  tuple.list = python_value(inside);
  return tuple;
}

std::string named_padding(Node const& mapping, Entry const& entry) {
  bool const is_padding = entry.key == "padding" || entry.key == "pool_pads";
  if (!is_padding || entry.value.kind != Node::Kind::scalar) return {};
  if (entry.value.text == "valid") return "0";
  if (entry.value.text != "same") return {};
  bool const pools = entry.key == "pool_pads";
  auto const* window = mapping.find(pools ? "pool_dims" : "kernel_size");
  if (window == nullptr || mapping.find("dilation") != nullptr) return {};
  auto const* stride = mapping.find(pools ? "pool_strides" : "stride");
  if (stride == nullptr ? pools : stride->value.text != "1") return {};
  auto const half = [](Node const& node) -> std::string {
    auto const scalar = scalar_of(node.text);
    auto const* size = std::get_if<std::int64_t>(&scalar);
    return size == nullptr || *size < 1 || *size % 2 == 0 ? "" : std::to_string(*size / 2);
  };
  auto const sizes = as_sequence(window->value);
  if (sizes.kind == Node::Kind::scalar) return half(sizes);
  std::string list;
  for (auto const& size : sizes.items) {
    auto const part = half(size);
    if (part.empty()) return {};
    list += (list.empty() ? "[" : ", ") + part;
  }
  return list.empty() ? list : list + "]";
}

}  // namespace lbann::compiler
