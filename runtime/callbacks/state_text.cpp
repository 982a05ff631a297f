// Numbers as words.
#include "runtime/callbacks/state_text.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace lbann::runtime {

StateText& StateText::operator<<(double number) {
  char word[64];
  std::snprintf(word, sizeof word, "%a", number);
  return add(word);
}

std::optional<std::int64_t> StateReader::integer() {
  std::int64_t number = 0;
  return words_ >> number ? std::optional(number) : std::nullopt;
}

std::optional<double> StateReader::real() {
  std::string word;
  if (!(words_ >> word)) return std::nullopt;
  char* end = nullptr;
  auto const number = std::strtod(word.c_str(), &end);
  return end == word.c_str() + word.size() ? std::optional(number) : std::nullopt;
}

}  // namespace lbann::runtime
