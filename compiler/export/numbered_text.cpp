// Digits that a name counts with.
#include "compiler/export/numbered_text.hpp"

#include <algorithm>
#include <cstdlib>

namespace lbann::compiler {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

NumberedText take_apart(std::string const& text) {
  constexpr std::size_t most_digits = 9;
  if (std::all_of(text.begin(), text.end(), is_digit)) return {{text}, {}};
  NumberedText parts;
  std::size_t done = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '$') break;
    auto end = at;
    while (end < text.size() && is_digit(text[end])) ++end;
    auto const digits = end - at;
    if (digits > 0 && digits <= most_digits && (text[at] != '0' || digits == 1)) {
      parts.rests.push_back(text.substr(done, at - done));
      parts.numbers.push_back(std::stoll(text.substr(at, digits)));
      done = end;
    }
    at = std::max(end, at + 1);
  }
  parts.rests.push_back(text.substr(done));
  return parts;
}

std::string growing(std::int64_t first, std::int64_t step, std::string const& name) {
  if (step == 0) return std::to_string(first);
  auto const factor = std::abs(step);
  auto const product = factor == 1 ? name : std::to_string(factor) + " * " + name;
  if (step < 0) return "${" + std::to_string(first) + " - " + product + "}";
  auto const rest = first == 0 ? "" : (first < 0 ? " - " : " + ") + std::to_string(std::abs(first));
  return "${" + product + rest + "}";
}

}  // namespace lbann::compiler
