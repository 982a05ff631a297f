// Lines, wherever the pieces of their text are cut.
#include "schemas/data_formats/text_lines.hpp"

#include <doctest/doctest.h>

using namespace lbann;

namespace {

/// `begin:line|` of all lines, of a text in pieces of `size` bytes.
std::string lines_of(std::string_view text, std::size_t size) {
  std::string all;
  auto const visit = [&](std::string_view line, std::size_t begin) {
    all += std::to_string(begin) + ":" + std::string(line) + "|";
    return true;
  };
  TextLines lines;
  for (std::size_t at = 0; at < text.size(); at += size) lines.take(text.substr(at, size), visit);
  lines.end(visit);
  return all;
}

}  // namespace

TEST_CASE("TextLines gives the same lines whatever the pieces") {
  for (std::size_t size = 1; size < 20; ++size) {
    CAPTURE(size);
    CHECK(lines_of("ab\r\n\nc", size) == "0:ab|4:|5:c|");
    CHECK(lines_of("\xef\xbb\xbf"
                   "ab\n\xef\xbb\xbf\n",
                   size) == "3:ab|6:\xef\xbb\xbf|");
    CHECK(lines_of("\r\n\r", size) == "0:|2:|");
    CHECK(lines_of("", size) == "");
    CHECK(lines_of("\n\n", size) == "0:|1:|");
  }
}

TEST_CASE("TextLines ends where it is asked to") {
  TextLines lines;
  int seen = 0;
  CHECK_FALSE(lines.take("a\nb\nc\n", [&](std::string_view, std::size_t) { return ++seen < 2; }));
  CHECK(seen == 2);
}
