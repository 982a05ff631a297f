// Lines and columns, or paths of messages, found only when a message needs them.
#include "schemas/plan/location.hpp"

#include <algorithm>

namespace lbann {

namespace {

/// A line of decoded messages: the level and the name of what begins on it, which may be empty.
struct MessageLine {
  std::size_t level;
  std::string_view name;
};

MessageLine message_line(std::string_view line) {
  auto const indent = std::min(line.find_first_not_of(' '), line.size());
  line.remove_prefix(indent);
  auto const end = line.starts_with('[') ? line.find(']') + 1 : line.find_first_of(": {}\n");
  return {indent / 2, line.starts_with('#') ? "" : line.substr(0, end)};
}

/// Whether another message or value of the name follows the one that begins at `at`.
bool has_sibling_after(std::string_view text, std::size_t at, MessageLine const& line) {
  for (auto next = text.find('\n', at); next != text.npos && next + 1 < text.size();
       next = text.find('\n', next + 1)) {
    auto const other = message_line(text.substr(next + 1, text.find('\n', next + 1) - next - 1));
    if (other.level < line.level) return false;
    if (other.level == line.level && other.name == line.name) return true;
  }
  return false;
}

/// `model.layer[3].relu`: what is open where `byte` lies, numbered where there are several.
std::string message_path(std::string_view text, std::size_t byte) {
  struct Open {
    std::string_view name;
    std::size_t number = 0, begin = 0;
  };
  std::vector<std::vector<Open>> levels(
      1);  // at each level the names met so far, the last one open
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size() && at <= byte;) {
    auto const end = std::min(text.find('\n', at), text.size());
    auto const line = message_line(text.substr(at, end - at));
    if (!line.name.empty()) {
      levels.resize(line.level + 1);
      auto& met = levels[line.level];
      auto const known = std::ranges::find(met, line.name, &Open::name);
      Open open{line.name, known == met.end() ? 0 : known->number + 1, at};
      if (known != met.end()) met.erase(known);
      met.push_back(open);
      depth = line.level + 1;
    }
    at = end + 1;
  }
  std::string path;
  for (std::size_t level = 0; level < depth; ++level) {
    auto const& open = levels[level].back();
    path += (path.empty() ? "" : ".") + std::string(open.name);
    if (open.number > 0 || has_sibling_after(text, open.begin, {level, open.name}))
      path += '[' + std::to_string(open.number) + ']';
  }
  return path;
}

}  // namespace

std::string location(std::vector<Source> const& sources, Span span) {
  if (!span.known() || span.file >= sources.size()) return {};
  auto const& source = written_source(sources, span.file);
  if (source.text.starts_with(decoded_messages)) {
    auto const path = message_path(source.text, span.begin);
    return path.empty() ? source.name : source.name + ": " + path;
  }
  auto const before = std::string_view(source.text)
                          .substr(0, std::min<std::size_t>(span.begin, source.text.size()));
  auto const line = 1 + std::count(before.begin(), before.end(), '\n');
  auto const newline = before.rfind('\n');
  auto const in_line = newline == std::string_view::npos ? before : before.substr(newline + 1);
  auto const continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
  auto const column = 1 + static_cast<std::ptrdiff_t>(in_line.size()) -
                      std::count_if(in_line.begin(), in_line.end(), continues);
  return source.name + ':' + std::to_string(line) + ':' + std::to_string(column);
}

std::string located(std::vector<Source> const& sources, Span span, std::string message) {
  auto const place = location(sources, span);
  if (place.empty()) return message;
  message = place + ": " + message;
  // Which time a text was meant that stands for several layers: innermost first.
  constexpr int most_causes = 4;
  for (int i = 0; i < most_causes && span.known() && span.file < sources.size(); ++i) {
    auto const& source = sources[span.file];
    if (source.copy_of == Span::no_file) break;
    message += "\n  " + source.words + " at " + location(sources, source.cause);
    span = source.cause;
  }
  return message;
}

}  // namespace lbann
