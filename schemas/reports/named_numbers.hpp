// Lists of `name=number` on command lines.
#pragma once

#include <charconv>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace lbann {

/// Reads `name=number,name=number` into the numbers of these names, each at most once and such that
/// `accepts(name, number)`. The part that is wrong; none if all are good.
template <class Number, class Accepts>
std::optional<std::string_view> read_named_numbers(
    std::string_view text, std::span<std::pair<std::string_view, Number*> const> numbers,
    Accepts const& accepts) {
  std::uint32_t read = 0;  // one bit per name
  while (true) {
    auto const part = text.substr(0, text.find(','));
    auto const equals = part.find('=');
    if (equals == part.npos) return part;
    auto const digits = part.substr(equals + 1);
    std::size_t which = 0;
    while (which < numbers.size() && numbers[which].first != part.substr(0, equals)) ++which;
    if (which == numbers.size() || (read >> which & 1) != 0) return part;
    read |= std::uint32_t{1} << which;
    auto& number = *numbers[which].second;
    auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || end != digits.data() + digits.size() ||
        !accepts(numbers[which].first, number))
      return part;
    if (part.size() == text.size()) return std::nullopt;
    text.remove_prefix(part.size() + 1);
  }
}

}  // namespace lbann
