// Characters of UTF-8, and bytes that are none.
#include "schemas/data_formats/utf8.hpp"

#include <doctest/doctest.h>

using namespace lbann;

TEST_CASE("every code point comes back from its text") {
  for (char32_t point = 0; point <= 0x10ffff; point += point < 0x900 ? 1 : 251) {
    if (point >= 0xd800 && point < 0xe000) continue;
    auto const text = utf8_text(point);
    auto const read = first_character(text + "x");
    REQUIRE(read.code_point == point);
    REQUIRE(read.bytes == text.size());
    for (std::size_t size = 1; size < text.size(); ++size)
      REQUIRE(first_character(std::string_view(text).substr(0, size)).bytes == 0);
  }
}

TEST_CASE("first_character refuses what is not UTF-8") {
  // A tail alone, over-long forms, surrogates, beyond the last code point, a missing tail.
  for (auto const* bad : {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xf0\x80\x80\x80",
                          "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xc3x"})
    CHECK(first_character(bad).bytes == 0);
}
