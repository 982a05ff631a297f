// YAML 1.2, which YAML 1.1 reads alike.
#include "compiler/export/yaml.hpp"

#include <algorithm>
#include <array>

#include "compiler/experiment/values/expression.hpp"

namespace lbann::compiler {

namespace {

constexpr std::size_t line_width = 100;

/// A word that no YAML reader takes for anything but a text.
bool plain_word(std::string_view text) {
  constexpr std::string_view inner = "_./-+";
  auto const letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (text.empty() || !(letter(text[0]) || text[0] == '_')) return false;
  for (char c : text)
    if (!letter(c) && !(c >= '0' && c <= '9') && inner.find(c) == std::string_view::npos)
      return false;
  std::string lower(text);
  for (auto& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  constexpr std::array<std::string_view, 9> words = {"true", "false", "yes", "no",  "on",
                                                     "off",  "y",     "n",   "null"};
  return std::find(words.begin(), words.end(), lower) == words.end();
}

std::string yaml_quoted(std::string_view text) {
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
      result += {'\\', 'x', digits[byte / 16], digits[byte % 16]};
    else
      result += c;
  }
  return result + "\"";
}

std::string yaml_scalar(Node const& node) {
  if (node.kind == Node::Kind::null) return "null";
  return node.quoted && !plain_word(node.text) ? yaml_quoted(node.text) : node.text;
}

std::string yaml_key(std::string const& key) { return plain_word(key) ? key : yaml_quoted(key); }

/// The node in one line, or something longer than `room` if it does not fit.
std::string flow(Node const& node, std::size_t room) {
  if (node.kind == Node::Kind::null || node.kind == Node::Kind::scalar) return yaml_scalar(node);
  bool const list = node.kind == Node::Kind::sequence;
  std::string text(1, list ? '[' : '{');
  auto const append = [&](std::string const& part) {
    if (text.size() > 1) text += ", ";
    text += part;
  };
  for (auto const& child : node.items) {
    append(flow(child, room));
    if (text.size() > room) return text;
  }
  for (auto const& entry : node.entries) {
    bool const empty = entry.value.kind == Node::Kind::null;
    append(yaml_key(entry.key) + ": " + (empty ? "" : flow(entry.value, room)));
    if (text.size() > room) return text;
  }
  return text + (list ? ']' : '}');
}

bool collection(Node const& node) {
  return node.kind == Node::Kind::sequence || node.kind == Node::Kind::mapping;
}

bool scalars_only(Node const& list) {
  return std::none_of(list.items.begin(), list.items.end(), collection);
}

class Writer {
 public:
  std::string text;

  /// The value of a key, behind its colon; `depth` is that of the key.
  void value(Node const& node, std::size_t depth, std::size_t level) {
    if (node.kind == Node::Kind::null) {
      text += "\n";
      return;
    }
    auto const used = text.size() - (text.rfind('\n') + 1) + 1;
    auto const room = used < line_width ? line_width - used : 0;
    bool const open = level == 0 || (node.kind == Node::Kind::sequence && !scalars_only(node));
    if (auto const line = flow(node, room);
        !collection(node) || ((!open || empty(node)) && line.size() <= room)) {
      text += " " + line + "\n";
    } else if (node.kind == Node::Kind::sequence && scalars_only(node)) {
      wrapped(node, depth + 2);
    } else {
      text += "\n";
      block(node, depth + 2, level + 1);
    }
  }

  void block(Node const& node, std::size_t depth, std::size_t level) {
    for (auto const& entry : node.entries) {
      text += std::string(depth, ' ') + yaml_key(entry.key) + ":";
      value(entry.value, depth, level);
    }
    for (auto const& child : node.items) {
      text += std::string(depth, ' ') + "-";
      element(child, depth, level);
    }
  }

 private:
  static bool empty(Node const& node) { return node.items.empty() && node.entries.empty(); }

  /// An element of a list, behind its dash; the first key stands in the same line.
  void element(Node const& node, std::size_t depth, std::size_t level) {
    if (node.kind != Node::Kind::mapping || node.entries.empty()) {
      text += " " + flow(node, std::string::npos) + "\n";
      return;
    }
    bool const single = node.entries.size() == 1;
    if (auto const line = flow(node, line_width);
        !single && depth + 2 + line.size() <= line_width) {
      text += " " + line + "\n";
      return;
    }
    bool first = true;
    for (auto const& entry : node.entries) {
      text += (first ? " " : std::string(depth + 2, ' ')) + yaml_key(entry.key) + ":";
      value(entry.value, depth + 2, std::max<std::size_t>(level, 1));
      first = false;
    }
  }

  void wrapped(Node const& list, std::size_t depth) {
    text += " [";
    std::size_t used = line_width;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      auto const part = yaml_scalar(list.items[i]) + (i + 1 < list.items.size() ? "," : "]\n");
      if (used + part.size() + 1 > line_width) {
        text += "\n" + std::string(depth, ' ') + part;
        used = depth + part.size();
      } else {
        text += " " + part;
        used += part.size() + 1;
      }
    }
  }
};

}  // namespace

std::string to_yaml_line(Node const& node) {
  return flow(node.kind == Node::Kind::numbers ? as_sequence(node) : node, std::string::npos);
}

std::string to_yaml(Node const& root) {
  Writer writer;
  for (auto const& section : root.entries) {
    if (!writer.text.empty()) writer.text += "\n";
    writer.text += yaml_key(section.key) + ":";
    writer.value(section.value, 0, 0);
  }
  return std::move(writer.text);
}

}  // namespace lbann::compiler
