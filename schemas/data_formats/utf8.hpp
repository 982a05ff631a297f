// Characters of UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lbann {

/// One character and the bytes it took; no bytes: what stands there is not UTF-8.
struct Utf8Character {
  char32_t code_point = 0;
  std::size_t bytes = 0;
};

/// The character at the begin of `text`, which is not empty. Over-long forms, surrogates and what
/// lies beyond U+10FFFF are none. RFC 3629.
Utf8Character first_character(std::string_view text);

/// A character as text.
std::string utf8_text(char32_t code_point);

}  // namespace lbann
