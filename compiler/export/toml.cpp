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

constexpr std::size_t toml_width = 120;

/// A value after `column` characters of its line. What is too long for it is broken where TOML
/// allows it, in lists: an inline table stands in one line but for the lists in it.
std::string value(Node const& node, std::size_t column, std::string const& indent) {
  auto text = inline_value(node);
  if (column + text.size() <= toml_width) return text;
  auto const inner = indent + "  ";
  if (node.kind == Node::Kind::numbers) return value(as_sequence(node), column, indent);
  if (node.kind == Node::Kind::sequence) {
    text = "[\n";
    bool const short_items = !list_of_mappings(node);
    auto line = inner;
    for (auto const& item : node.items) {
      auto const part = value(item, inner.size(), inner) + ",";
      // Numbers and names fill lines; entries stand in lines of their own.
      if (line != inner && (!short_items || line.size() + 1 + part.size() > toml_width)) {
        text += line + "\n";
        line = inner;
      }
      line += (line == inner ? "" : " ") + part;
    }
    return text + line + "\n" + indent + "]";
  }
  if (node.kind != Node::Kind::mapping) return text;
  text = "{";
  for (auto const& entry : node.entries) {
    text += (text.size() == 1 ? "" : ", ") + toml_key(entry.key) + " = ";
    text += list_of_mappings(entry.value) || entry.value.kind == Node::Kind::mapping
                ? value(entry.value, toml_width, indent)
                : inline_value(entry.value);
  }
  return text + "}";
}

void key_value(Entry const& entry, std::string& text) {
  auto const beginning = toml_key(entry.key) + " = ";
  text += beginning + value(entry.value, beginning.size(), "") + "\n";
}

/// Appends the header of a table, or of an element of a list of tables.
void header(std::string const& name, bool element, std::string& text) {
  if (!text.empty()) text += "\n";
  text += element ? "[[" + name + "]]\n" : "[" + name + "]\n";
}

/// Whether a key stands under a header of its own: tables do, and the lists of the root. Lists
/// further in are long, and each of their entries is short.
bool headed(Node const& node, std::string_view path) {
  return node.kind == Node::Kind::mapping || (path.empty() && list_of_mappings(node));
}

void section(Node const& table, std::string const& path, std::string& text);

/// A table with its header, which goes without saying above headers of its own alone.
void headed_table(Node const& table, std::string const& path, std::string& text) {
  auto const& entries = table.entries;
  if (entries.empty() || std::any_of(entries.begin(), entries.end(), [&](Entry const& inner) {
        return !headed(inner.value, path);
      }))
    header(path, false, text);
  section(table, path, text);
}

/// Elements of a list of the root.
void headed_list(Node const& list, std::string const& path, std::string& text) {
  for (auto const& element : list.items) {
    header(path, true, text);
    for (auto const& field : element.entries) key_value(field, text);
  }
}

/// A section: its own keys first, then what stands under headers of their own.
void section(Node const& table, std::string const& path, std::string& text) {
  for (auto const& entry : table.entries)
    if (!headed(entry.value, path)) key_value(entry, text);
  for (auto const& entry : table.entries) {
    if (!headed(entry.value, path)) continue;
    auto const name = path.empty() ? toml_key(entry.key) : path + "." + toml_key(entry.key);
    if (list_of_mappings(entry.value))
      headed_list(entry.value, name, text);
    else
      headed_table(entry.value, name, text);
  }
}

}  // namespace

std::string to_toml(Node const& root) {
  std::string text;
  section(root, "", text);
  return text;
}

}  // namespace lbann::compiler
