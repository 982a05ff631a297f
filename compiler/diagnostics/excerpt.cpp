// Cutting the line around a span out of a text, safe for any terminal.
#include "compiler/diagnostics/excerpt.hpp"

#include <algorithm>
#include <cstdint>

namespace lbann::compiler {

namespace {

constexpr std::size_t widest = 160;  // columns of an excerpt
constexpr std::size_t before_span = 60;

struct Character {
  std::size_t bytes = 1;
  char32_t code = 0;
};

Character character_at(std::string_view text, std::size_t at) {
  auto const first = static_cast<unsigned char>(text[at]);
  std::size_t const bytes = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (first < 0xc2 || first > 0xf4 || at + bytes > text.size()) return {1, first};
  char32_t code = first & (0x7f >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    auto const next = static_cast<unsigned char>(text[at + i]);
    if ((next & 0xc0) != 0x80) return {1, first};
    code = (code << 6) | (next & 0x3f);
  }
  bool const overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  if (overlong || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return {1, first};
  return {bytes, code};
}

/// Combining marks take no column; East Asian wide characters and emoji two (Unicode TR 11).
std::size_t columns_of(char32_t code) {
  auto const in = [code](char32_t a, char32_t b) { return code >= a && code <= b; };
  if (in(0x300, 0x36f) || in(0x200b, 0x200f) || in(0xfe00, 0xfe0f)) return 0;
  bool const wide = in(0x1100, 0x115f) || in(0x2e80, 0xa4cf) || in(0xac00, 0xd7a3) ||
                    in(0xf900, 0xfaff) || in(0xfe30, 0xfe6f) || in(0xff00, 0xff60) ||
                    in(0xffe0, 0xffe6) || in(0x1f300, 0x1f64f) || in(0x1f900, 0x1f9ff) ||
                    in(0x20000, 0x3fffd);
  return wide ? 2 : 1;
}

/// Changes the direction of writing or is invisible: shown as a dot, lest the excerpt deceives.
bool deceives(char32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x202a && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

void append(std::string& shown, std::string_view text, std::size_t at, Character character) {
  if (character.code == '\t')
    shown += "  ";
  else if (deceives(character.code) || (character.bytes == 1 && character.code >= 0x80))
    shown += '.';
  else
    shown.append(text, at, character.bytes);
}

std::size_t shown_columns(Character character) {
  if (character.code == '\t') return 2;
  if (deceives(character.code)) return 1;
  return columns_of(character.code);
}

}  // namespace

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < text.size();) {
    auto const character = character_at(text, i);
    columns += shown_columns(character);
    i += character.bytes;
  }
  return columns;
}

Excerpt excerpt_of(std::string_view text, Span span) {
  std::size_t const at = std::min<std::size_t>(span.begin, text.size());
  std::size_t const line_begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  auto line_end = std::min(text.find('\n', at), text.size());
  if (line_end > line_begin && text[line_end - 1] == '\r') --line_end;
  auto const span_begin = std::min(at, line_end);
  auto const span_end = std::clamp<std::size_t>(span.end, span_begin, line_end);

  Excerpt excerpt;
  excerpt.line =
      1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + line_begin, '\n'));
  auto begin = line_begin;
  if (span_begin - line_begin > widest - before_span) {
    begin = span_begin - before_span;
    while (begin < span_begin && (static_cast<unsigned char>(text[begin]) & 0xc0) == 0x80) ++begin;
    excerpt.text = "...";
  }
  std::size_t columns = excerpt.text.size(), first = columns, last = columns;
  auto i = begin;
  for (; i < line_end && columns < widest;) {
    if (i <= span_begin) first = columns;
    auto const character = character_at(text, i);
    append(excerpt.text, text, i, character);
    columns += shown_columns(character);
    i += character.bytes;
    if (i <= span_end) last = columns;
  }
  if (i <= span_begin) first = last = columns;
  if (i < line_end) excerpt.text += "...";
  excerpt.indent = first;
  excerpt.width = last > first ? last - first : 1;
  return excerpt;
}

}  // namespace lbann::compiler
