// Following the text of a node, YAML 1.2 chapters 6 to 8, as far as ends need it.
#include "compiler/source/yaml_spans.hpp"

#include <algorithm>

namespace lbann::compiler {

namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && blank(text[at])) ++at;
  return at;
}

/// Skips blanks and comments; a comment begins at `#` after a blank.
std::size_t skip_blanks_and_comments(std::string_view text, std::size_t at) {
  for (;;) {
    auto const next = skip_blanks(text, at);
    if (next >= text.size() || text[next] != '#' || (next > 0 && !blank(text[next - 1])))
      return next;
    at = std::min(text.find('\n', next), text.size());
  }
}

std::size_t double_quoted_end(std::string_view text, std::size_t begin) {
  for (auto i = begin + 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      return i + 1;
  }
  return std::string_view::npos;
}

std::size_t single_quoted_end(std::string_view text, std::size_t begin) {
  for (auto i = begin + 1; i < text.size(); ++i) {
    if (text[i] != '\'') continue;
    if (i + 1 == text.size() || text[i + 1] != '\'') return i + 1;
    ++i;
  }
  return std::string_view::npos;
}

/// A literal or folded scalar goes on while lines are blank or as deep as its first line.
std::size_t block_end(std::string_view text, std::size_t begin) {
  auto line = std::min(text.find('\n', begin), text.size());
  auto end = without_blanks(text, begin, line);
  std::size_t depth = 0;
  while (line < text.size()) {
    auto const start = line + 1;
    auto const content = std::min(text.find_first_not_of(' ', start), text.size());
    line = std::min(text.find('\n', start), text.size());
    if (content >= line || text[content] == '\r') continue;
    if (depth == 0) depth = content - start;
    if (depth == 0 || content - start < depth) break;
    end = without_blanks(text, begin, line);
  }
  return end;
}

/// The value is the text itself but for blanks, which a line break folds.
std::size_t plain_end(std::string_view text, std::size_t begin, std::string_view value) {
  auto at = begin;
  for (std::size_t i = 0; i < value.size() && at < text.size();) {
    if (blank(value[i])) {
      while (i < value.size() && blank(value[i])) ++i;
      at = skip_blanks(text, at);
    } else {
      ++i;
      ++at;
    }
  }
  return at;
}

}  // namespace

std::size_t after_properties(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == '&' || text[at] == '!')) {
    while (at < text.size() && !blank(text[at])) ++at;
    at = skip_blanks_and_comments(text, at);
  }
  return at;
}

std::size_t scalar_end(std::string_view text, std::size_t begin, std::string_view value) {
  if (begin >= text.size()) return text.size();
  switch (text[begin]) {
    case '"':
      return double_quoted_end(text, begin);
    case '\'':
      return single_quoted_end(text, begin);
    case '|':
    case '>':
      return block_end(text, begin);
    default:
      return plain_end(text, begin, value);
  }
}

std::size_t flow_end(std::string_view text, std::size_t after) {
  for (;;) {
    auto const at = skip_blanks_and_comments(text, after);
    if (at >= text.size()) return text.size();
    if (text[at] != ',' && text[at] != ':' && text[at] != '?') return at + 1;
    after = at + 1;
  }
}

std::size_t without_blanks(std::string_view text, std::size_t least, std::size_t at) {
  at = std::min(at, text.size());
  while (at > least && blank(text[at - 1])) --at;
  return at;
}

}  // namespace lbann::compiler
