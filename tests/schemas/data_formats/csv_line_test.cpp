// Cells of lines, and the numbers in them.
#include "schemas/data_formats/csv_line.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace lbann;

namespace {

/// The cells with `|` between them; `open` at the end if a quote is not closed.
std::string cells_of(std::string_view line, char separator = ',') {
  std::string text;
  CsvCells cells(line, separator);
  while (auto const cell = cells.next()) text += std::string(*cell) + "|";
  return text + (cells.is_open() ? "open" : "");
}

}  // namespace

TEST_CASE("CsvCells") {
  CHECK(cells_of("1, 2 ,3") == "1|2|3|");
  CHECK(cells_of("") == "|");
  CHECK(cells_of("1,,") == "1|||");
  CHECK(cells_of("a\t b", '\t') == "a| b|");
  CHECK(cells_of("\"a,b\", \"c\" ,d") == "a,b|c|d|");
  CHECK(cells_of("\"a\"x,b") == "\"a\"x|b|");
  CHECK(cells_of("1,\"2") == "1|open");
  CHECK(cells_of("\"a\"\"b,\"\"\",c") == "a\"\"b,\"\"|c|");
  CHECK(cells_of("\"\",\"\"\"\"") == "|\"\"|");
  CHECK(cells_of("\"a\nb\",c") == "a\nb|c|");
  CHECK(cells_of("a\"b,c\"d") == "a\"b|c\"d|");
  CHECK(cells_of("1 \"a b\" 2", ' ') == "1|a b|2|");
  CsvCells cells("12,345", ',');
  cells.next();
  cells.next();
  CHECK(cells.place() == 3);
}

TEST_CASE("the text of a cell has single quotes where they are doubled") {
  CsvCells cells("\"say \"\"so\"\"\",a\"\"b", ',');
  cells.next();
  CHECK(cells.text() == "say \"so\"");
  cells.next();
  CHECK(cells.text() == "a\"\"b");
}

TEST_CASE("ends_in_quotes") {
  for (auto const* line : {"\"", "1,\"a", "\"a\"\"", "\"a\"\",b"})
    CHECK(ends_in_quotes(line, ',', false));
  for (auto const* line : {"", "a\"", "\"a\"", "\"\"", "\"a\"\"\",b"})
    CHECK_FALSE(ends_in_quotes(line, ',', false));
  for (auto const* line : {"", "a,b", "\"\"", "b\",\"c"}) CHECK(ends_in_quotes(line, ',', true));
  for (auto const* line : {"\"", "b\",c", "\"\"\"", "b\"x,c"})
    CHECK_FALSE(ends_in_quotes(line, ',', true));
}

TEST_CASE("cells that say there is no value") {
  for (auto const* cell : {"", "NA", "N/A", "null", "None", "?"}) CHECK(is_missing(cell));
  for (auto const* cell : {"0", "nan", "x", "NAN"}) CHECK_FALSE(is_missing(cell));
}

TEST_CASE("parse_cell") {
  CHECK(parse_cell("-1.5e3") == -1500);
  CHECK(parse_cell("+2") == 2);
  CHECK(std::isnan(*parse_cell("nan")));
  for (auto const* bad : {"", "x", "1x", "1 2", "0x10", "--1", "1e999"})
    CHECK_FALSE(parse_cell(bad).has_value());
}
