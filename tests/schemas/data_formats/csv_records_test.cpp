// Records of a text, wherever its pieces are cut.
#include "schemas/data_formats/csv_records.hpp"

#include <doctest/doctest.h>

using namespace lbann;

namespace {

/// Records as `line@begin+size:text|`, the text given in pieces of `piece` bytes.
std::string records_of(std::string_view text, std::size_t piece, std::int64_t skipped = 0) {
  std::string all;
  CsvRecords records(',', skipped);
  auto const visit = [&](CsvRecord const& record) {
    all += std::to_string(record.line) + "@" + std::to_string(record.begin) + "+" +
           std::to_string(record.size) + ":" + std::string(record.text) + "|";
    return true;
  };
  for (std::size_t at = 0; at < text.size(); at += piece)
    CHECK(records.take(text.substr(at, piece), visit));
  CHECK(records.end(visit));
  return all;
}

}  // namespace

TEST_CASE("ends of lines within quotes are part of a record") {
  for (std::size_t piece = 1; piece < 40; ++piece) {
    CAPTURE(piece);
    CHECK(records_of("a,b\r\n1,\"x\ny\"\r\n2,3", piece) ==
          "1@0+3:a,b|2@5+7:1,\"x\ny\"|4@14+3:2,3|");
    // In the file a record has its ends of lines as they are.
    CHECK(records_of("\"a\r\nb\",c\n\nd", piece) == "1@0+8:\"a\nb\",c|3@9+0:|4@10+1:d|");
    CHECK(records_of("\"a\"\"\n\"\"b\"\nc", piece) == "1@0+9:\"a\"\"\n\"\"b\"|3@10+1:c|");
    CHECK(records_of("1\n\"2\n3\n", piece) == "1@0+1:1|2@2+4:\"2\n3|");
    CHECK(records_of("# \"x\n1,2\n", piece, 1) == "2@5+3:1,2|");
    CHECK(records_of("", piece).empty());
  }
}

TEST_CASE("a visit that gives false ends it") {
  CsvRecords records(',', 0);
  int visited = 0;
  CHECK_FALSE(records.take("1\n2\n", [&](CsvRecord const&) { return ++visited < 1; }));
  CHECK(visited == 1);
  CHECK(records.lines() == 1);
}
