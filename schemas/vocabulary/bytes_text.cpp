// Writing and reading numbers of bytes.
#include "schemas/vocabulary/bytes_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace lbann {

std::string bytes_text(std::int64_t bytes) {
  auto value = static_cast<double>(bytes);
  char const* const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  for (; value >= 1000 && unit + 1 < std::size(units); ++unit) value /= 1000;
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  return text;
}

std::optional<std::int64_t> parse_bytes(std::string_view text) {
  double value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  while (text.starts_with(' ')) text.remove_prefix(1);
  constexpr std::string_view letters = "kMGTP";
  if (!text.empty() && text != "B") {
    auto const letter = letters.find(text[0] == 'K' ? 'k' : text[0]);
    if (letter == letters.npos) return std::nullopt;
    text.remove_prefix(1);
    bool const binary = text.starts_with('i');
    if (binary) text.remove_prefix(1);
    if (text != "B" && !(text.empty() && !binary)) return std::nullopt;
    value *= std::pow(binary ? 1024.0 : 1000.0, static_cast<double>(letter + 1));
  }
  if (!(value >= 1) || value >= 0x1p62) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

}  // namespace lbann
