// Leaving out the middle.
#include "compiler/diagnostics/shortened.hpp"

#include <algorithm>

namespace lbann::compiler {

namespace {

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

std::string shortened(std::string_view text, std::size_t most, bool keeps_lines) {
  constexpr std::string_view left_out = "...";
  std::string result;
  if (text.size() <= most) {
    result = text;
  } else {
    auto const kept = most - left_out.size();
    auto head = kept - kept / 3, tail = text.size() - kept / 3;
    while (head > 0 && continues_character(text[head])) --head;
    while (tail < text.size() && continues_character(text[tail])) ++tail;
    result.append(text.substr(0, head)).append(left_out).append(text.substr(tail));
  }
  std::ranges::replace_if(
      result,
      [&](unsigned char c) { return (c < 0x20 && !(keeps_lines && c == '\n')) || c == 0x7f; }, ' ');
  return result;
}

}  // namespace lbann::compiler
