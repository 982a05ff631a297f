// TOML 1.0.
#include "compiler/export/toml.hpp"

#include <algorithm>

#include "compiler/experiment/values/expression.hpp"

namespace lbann::compiler {

namespace {

bool bare_key(std::string_view key) {
  return !key.empty() && key.find_first_not_of(
                             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "0123456789_-") == std::string_view::npos;
}

std::string toml_quoted(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result = "\"";
  for (char c : text) {
    auto const byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      result += {'\\', c};
    else if (c == '\n')
      result += "\\n";
    else if (c == '\t')
      result += "\\t";
    else if (byte < 0x20 || byte == 0x7f)
      result += std::string("\\u00") + digits[byte / 16] + digits[byte % 16];
    else
      result += c;
  }
  return result + "\"";
}

std::string toml_key(std::string const& key) { return bare_key(key) ? key : toml_quoted(key); }

std::string inline_value(Node const& node) {
  std::string text;
  auto const append = [&](std::string const& part) { text += (text.empty() ? "" : ", ") + part; };
  switch (node.kind) {
    case Node::Kind::null:
      return "{}";
    case Node::Kind::scalar:
      return node.quoted || std::holds_alternative<std::string>(scalar_of(node.text))
                 ? toml_quoted(node.text)
                 : node.text;
    case Node::Kind::sequence:
      for (auto const& child : node.items) append(inline_value(child));
      return "[" + text + "]";
    case Node::Kind::numbers:
      return inline_value(as_sequence(node));
    case Node::Kind::mapping:
      break;
  }
  for (auto const& entry : node.entries)
    append(toml_key(entry.key) + " = " + inline_value(entry.value));
  return text.empty() ? "{}" : "{" + text + "}";
}

bool list_of_mappings(Node const& node) {
  return node.kind == Node::Kind::sequence && !node.items.empty() &&
         std::all_of(node.items.begin(), node.items.end(),
                     [](Node const& child) { return child.kind == Node::Kind::mapping; });
}

void key_value(Entry const& entry, std::string& text) {
  text += toml_key(entry.key) + " = " + inline_value(entry.value) + "\n";
}

/// A section: its own keys first, then what stands under headers of their own.
void section(Node const& table, std::string const& path, std::string& text) {
  for (auto const& entry : table.entries)
    if (entry.value.kind != Node::Kind::mapping && !list_of_mappings(entry.value))
      key_value(entry, text);
  for (auto const& entry : table.entries) {
    auto const name = path.empty() ? toml_key(entry.key) : path + "." + toml_key(entry.key);
    if (list_of_mappings(entry.value)) {
      for (auto const& element : entry.value.items) {
        text += (text.empty() ? "[[" : "\n[[") + name + "]]\n";
        for (auto const& field : element.entries) key_value(field, text);
      }
    } else if (entry.value.kind == Node::Kind::mapping) {
      bool const headed = std::any_of(
          entry.value.entries.begin(), entry.value.entries.end(), [](Entry const& inner) {
            return inner.value.kind != Node::Kind::mapping && !list_of_mappings(inner.value);
          });
      if (headed || entry.value.entries.empty())
        text += (text.empty() ? "[" : "\n[") + name + "]\n";
      section(entry.value, name, text);
    }
  }
}

}  // namespace

std::string to_toml(Node const& root) {
  std::string text;
  section(root, "", text);
  return text;
}

}  // namespace lbann::compiler
