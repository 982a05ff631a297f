// Keys of messages compared with those that are given.
#include "compiler/importer/message_keys.hpp"

#include <algorithm>

#include "compiler/experiment/values/fields.hpp"
#include "compiler/experiment/values/translation.hpp"
#include "compiler/importer/prototext_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

constexpr std::string_view any_prefix = "[type.googleapis.com/lbann_data.";
constexpr std::string_view operator_suffix = "Operator";

/// What stands between the brackets behind the last `.` or `/`.
std::string_view last_micro_batch(std::string_view key) {
  auto name = key.substr(key.find_last_of("./") + 1);
  if (name.ends_with(']')) name.remove_suffix(1);
  return name;
}

bool contains(std::vector<std::string_view> const& keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

}  // namespace

std::vector<std::string_view> message_keys(std::string_view message, DeclarationType const& type) {
  std::vector<std::string_view> keys;
  auto const add = [&](std::string_view name) {
    auto const* rename = renamed_to(message, name);
    keys.push_back(rename != nullptr ? rename->field : name);
  };
  for (auto const& field : type.fields)
    if (!has_no_field(message, field.name)) add(field.name);
  for (auto const& part : type.parts) {
    add(part.name);
    if (part.form == PartForm::entry)
      for (auto const* member : part.types) keys.push_back(member->name);
  }
  for (auto const key : further_keys(message)) keys.push_back(key);
  return keys;
}

Node with_known_keys(Node const& block, std::string_view owner,
                     std::vector<std::string_view> const& keys, Report& report,
                     std::vector<DeclarationType const*> const& relatives) {
  auto result = block;
  result.entries.clear();
  for (auto const& entry : block.entries) {
    if (contains(keys, entry.key)) {
      result.entries.push_back(entry);
      continue;
    }
    auto meant = report_unknown_key(block, entry, {owner, {}, {}, relatives}, keys, report);
    if (contains(keys, meant) && block.find(meant) == nullptr)
      result.entries.push_back({std::move(meant), entry.key_span, entry.value});
  }
  return result;
}

MessageField const* message_field(std::string_view message, std::string_view key) {
  constexpr std::string_view messages[][2] = {
      {"reader", "Reader"},      {"layer", "Layer"},
      {"weights", "Weights"},    {"trainer", "Trainer"},
      {"model", "Model"},        {"algorithm.kfac", "KFAC"},
      {"slice", "JAGDataSlice"}, {"data_coordinator", "DataCoordinator"}};
  // Kinds, and the messages that have a field for each of the kind.
  constexpr std::string_view kinds[][2] = {
      {"optimizer", "Optimizer"}, {"initializer", "Initializer"}, {"metric", "Metric"},
      {"callback", "Callback"},   {"transform", "Transform"},     {"layer", "Layer"}};
  auto const dot = message.find('.');
  auto const kind = message.substr(0, dot);
  MessageType const* type = nullptr;
  for (auto const& [name, called] : messages)
    if (name == (kind == "reader" ? kind : message)) type = find_message_type(called);
  for (auto const& [name, called] : kinds)
    if (dot != message.npos && name == kind)
      if (auto const* member = find_message_type(called)->find(message.substr(dot + 1)))
        type = find_message_type(member->type);
  return type == nullptr ? nullptr : type->find(key);
}

std::string any_key(std::string_view name) {
  std::string result(any_prefix);
  bool capital = true;
  for (char c : name) {
    bool const small = c >= 'a' && c <= 'z';
    if (c != '_') result += small && capital ? static_cast<char>(c - 'a' + 'A') : c;
    capital = c == '_' || is_abbreviation(name);
  }
  if (is_operator(name)) result += operator_suffix;
  return result += ']';
}

DeclarationType const* find_message(Entry const& entry, bool any, std::string_view what,
                                    std::vector<DeclarationType const*> const& types,
                                    Report& report) {
  for (auto const* type : types)
    if (entry.key == (any ? any_key(type->name) : type->name)) return type;
  auto& diagnostic =
      report.add(diagnostics::unknown_type, entry.key_span, {entry.key, std::string(what)});
  if (!any) {
    std::vector<std::string_view> names;
    for (auto const* type : types) names.push_back(type->name);
    diagnostic.suggestions = nearest(entry.key, names);
    if (explain_foreign_type(diagnostic, entry, names) != nullptr ||
        !is_misspelt(entry.key, diagnostic.suggestions))
      return nullptr;
    return *std::ranges::find(types, diagnostic.suggestions[0], &DeclarationType::name);
  }
  // What is the same in all keys says nothing about which one was meant.
  std::vector<std::string> keys;
  std::vector<std::string_view> names;
  for (auto const* type : types) keys.push_back(any_key(type->name));
  for (auto const& key : keys) names.push_back(last_micro_batch(key));
  for (auto const& name : nearest(last_micro_batch(entry.key), names))
    diagnostic.suggestions.push_back(std::string(any_prefix) + name + "]");
  return nullptr;
}

}  // namespace lbann::compiler
