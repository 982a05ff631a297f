// UTF-8 (RFC 3629) and control characters.
#include "compiler/source/text_checks.hpp"

#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

std::size_t character_length(std::string_view text, std::size_t at) {
  auto const byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  auto const first = byte(at);
  if (first < 0x80) return 1;
  std::size_t const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(at + i) & 0xc0) != 0x80) return 0;
  auto const second = byte(at + 1);
  bool const overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  bool const outside = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
  return overlong || outside ? 0 : length;
}

namespace {

std::string hexadecimal(unsigned char byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  return {'0', 'x', digits[byte / 16], digits[byte % 16]};
}

}  // namespace

bool check_text(Source const& source, std::uint32_t file, Report& report, std::size_t most) {
  std::string_view const text = source.text;
  if (text.size() > most) {
    report.add(diagnostics::too_large, {file, 0, 0},
               {"the file is larger than " + std::to_string(most >> 20) + " MiB"});
    return false;
  }
  for (std::size_t i = 0; i < text.size();) {
    auto const byte = static_cast<unsigned char>(text[i]);
    Span const here{file, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i + 1)};
    bool const control =
        byte == 0x7f || (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r');
    auto const length = character_length(text, i);
    if (length == 0) report.add(diagnostics::invalid_utf8, here, {hexadecimal(byte)});
    if (control) report.add(diagnostics::control_character, here, {hexadecimal(byte)});
    if (control || length == 0) return false;
    i += length;
  }
  return true;
}

}  // namespace lbann::compiler
