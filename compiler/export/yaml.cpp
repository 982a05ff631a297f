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

std::string yaml_scalar(Item const& item) {
  if (item.kind == Item::Kind::null) return "null";
  return item.quoted && !plain_word(item.text) ? yaml_quoted(item.text) : item.text;
}

std::string yaml_key(std::string const& key) { return plain_word(key) ? key : yaml_quoted(key); }

/// The item in one line, or something longer than `room` if it does not fit.
std::string flow(Item const& item, std::size_t room) {
  if (item.kind == Item::Kind::null || item.kind == Item::Kind::scalar) return yaml_scalar(item);
  bool const list = item.kind == Item::Kind::sequence;
  std::string text(1, list ? '[' : '{');
  auto const append = [&](std::string const& part) {
    if (text.size() > 1) text += ", ";
    text += part;
  };
  for (auto const& child : item.items) {
    append(flow(child, room));
    if (text.size() > room) return text;
  }
  for (auto const& entry : item.entries) {
    bool const empty = entry.value.kind == Item::Kind::null;
    append(yaml_key(entry.key) + ": " + (empty ? "" : flow(entry.value, room)));
    if (text.size() > room) return text;
  }
  return text + (list ? ']' : '}');
}

bool collection(Item const& item) {
  return item.kind == Item::Kind::sequence || item.kind == Item::Kind::mapping;
}

bool scalars_only(Item const& list) {
  return std::none_of(list.items.begin(), list.items.end(), collection);
}

class Writer {
 public:
  std::string text;

  /// The value of a key, behind its colon; `depth` is that of the key.
  void value(Item const& item, std::size_t depth, std::size_t level) {
    if (item.kind == Item::Kind::null) {
      text += "\n";
      return;
    }
    auto const used = text.size() - (text.rfind('\n') + 1) + 1;
    auto const room = used < line_width ? line_width - used : 0;
    bool const open = level == 0 || (item.kind == Item::Kind::sequence && !scalars_only(item));
    if (auto const line = flow(item, room);
        !collection(item) || ((!open || empty(item)) && line.size() <= room)) {
      text += " " + line + "\n";
    } else if (item.kind == Item::Kind::sequence && scalars_only(item)) {
      wrapped(item, depth + 2);
    } else {
      text += "\n";
      block(item, depth + 2, level + 1);
    }
  }

  void block(Item const& item, std::size_t depth, std::size_t level) {
    for (auto const& entry : item.entries) {
      text += std::string(depth, ' ') + yaml_key(entry.key) + ":";
      value(entry.value, depth, level);
    }
    for (auto const& child : item.items) {
      text += std::string(depth, ' ') + "-";
      element(child, depth, level);
    }
  }

 private:
  static bool empty(Item const& item) { return item.items.empty() && item.entries.empty(); }

  /// An element of a list, behind its dash; the first key stands in the same line.
  void element(Item const& item, std::size_t depth, std::size_t level) {
    if (item.kind != Item::Kind::mapping || item.entries.empty()) {
      text += " " + flow(item, std::string::npos) + "\n";
      return;
    }
    bool const single = item.entries.size() == 1;
    if (auto const line = flow(item, line_width);
        !single && depth + 2 + line.size() <= line_width) {
      text += " " + line + "\n";
      return;
    }
    bool first = true;
    for (auto const& entry : item.entries) {
      text += (first ? " " : std::string(depth + 2, ' ')) + yaml_key(entry.key) + ":";
      value(entry.value, depth + 2, std::max<std::size_t>(level, 1));
      first = false;
    }
  }

  void wrapped(Item const& list, std::size_t depth) {
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

std::string to_yaml(Item const& root) {
  Writer writer;
  for (auto const& section : root.entries) {
    if (!writer.text.empty()) writer.text += "\n";
    writer.text += yaml_key(section.key) + ":";
    writer.value(section.value, 0, 0);
  }
  return std::move(writer.text);
}

}  // namespace lbann::compiler
