// Ranges in words, and numbers outside of them.
#include "schemas/vocabulary/field_check.hpp"

#include <charconv>
#include <cmath>

namespace lbann {

namespace {

std::string text_of(std::int64_t number) { return std::to_string(number); }

/// The shortest text that reads as the same number, whole numbers as such.
std::string text_of(double number) {
  std::array<char, 32> text{};
  bool const whole = std::abs(number) < 0x1p53 && number == std::floor(number);
  auto const format = whole ? std::chars_format::fixed : std::chars_format::general;
  auto const end = std::to_chars(text.data(), text.data() + text.size(), number, format).ptr;
  return {text.data(), end};
}

bool holds(Range range, double number) { return std::isfinite(number) && range.holds(number); }

std::string refusal(Range range, std::string const& number) {
  auto const words = describe(range);
  return "must be " + (words.empty() ? "a finite number" : words) + ", not " + number;
}

/// What is wrong with a number, or with one of a list; nothing of values of other kinds.
std::optional<std::string> misfit(Range range, Value const& value) {
  return std::visit(
      [&]<class T>(T const& held) -> std::optional<std::string> {
        if constexpr (std::is_same_v<T, std::int64_t> || std::is_same_v<T, double>) {
          if (!holds(range, static_cast<double>(held))) return refusal(range, text_of(held));
        } else if constexpr (std::is_same_v<T, std::vector<std::int64_t>> ||
                             std::is_same_v<T, std::vector<double>>) {
          for (auto const number : held)
            if (!holds(range, static_cast<double>(number))) return refusal(range, text_of(number));
        }
        return std::nullopt;
      },
      value);
}

}  // namespace

std::string describe(Range range) {
  std::string text;
  if (std::isfinite(range.least))
    text = (range.least_excluded ? "above " : "at least ") + text_of(range.least);
  if (std::isfinite(range.most))
    text += (text.empty() ? "" : " and ") +
            std::string(range.most_excluded ? "below " : "at most ") + text_of(range.most);
  return text;
}

std::optional<FieldProblem> verify(std::span<FieldView const> fields,
                                   std::span<FieldView const> defaults) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    auto const value = fields[i].value();
    auto words = misfit(fields[i].terms->range, value);
    if (words && value != defaults[i].value())
      return FieldProblem{fields[i].terms->name, std::move(*words)};
  }
  return std::nullopt;
}

std::optional<FieldProblem> find_unimplemented(std::span<FieldView const> fields,
                                               std::span<FieldView const> defaults) {
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (fields[i].terms->support == Support::unimplemented &&
        fields[i].value() != defaults[i].value())
      return FieldProblem{fields[i].terms->name, "is not supported yet"};
  return std::nullopt;
}

}  // namespace lbann
