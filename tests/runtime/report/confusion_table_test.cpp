// Confusion matrices from files, and as tables.
#include "runtime/report/confusion_table.hpp"

#include <doctest/doctest.h>

#include <fstream>

#include "tests/runtime/regression.hpp"
#include "tests/support/contains.hpp"

using namespace lbann;
using namespace lbann::runtime;
using testing::contains;

namespace {

Result<ConfusionMatrix> read(std::string const& text) {
  test::ScratchFolder const scratch;
  auto const path = scratch.path() / "test.csv";
  std::ofstream(path) << text;
  auto matrix = read_confusion_matrix(path);
  if (matrix) return matrix;
  return Problem{matrix.problem().message.substr(scratch.path().string().size() + 1)};
}

}  // namespace

TEST_CASE("parts of labels, and samples that are right") {
  auto const matrix = read("0.25,0.125,0\n0.25,0.375,0\n0,0,0\n");
  REQUIRE(matrix.good());
  CHECK(matrix.value().classes == 3);
  CHECK(matrix.value().part_of_label(0, 0) == 0.5);
  CHECK(matrix.value().part_of_label(0, 1) == 0.25);
  CHECK(matrix.value().part_of_label(2, 2) == 0);
  CHECK(matrix.value().accuracy() == 0.625);
  auto const table = table_of(matrix.value());
  CHECK(contains(table, ">75</td>"));
  CHECK(contains(table, "title=\"12.500 % of all samples\">25</td>"));
}

TEST_CASE("of many classes the pairs that are confused most") {
  ConfusionMatrix matrix{1000, std::vector<double>(1000 * 1000)};
  matrix.fractions[17 * 1000 + 3] = 0.25;
  matrix.fractions[3 * 1000 + 3] = 0.75;
  auto const table = table_of(matrix);
  CHECK(contains(table, "<tr><td>3</td><td>17</td><td>25.000 %</td><td>25.0 %</td></tr>"));
  CHECK(table.size() < 1000);
}

TEST_CASE("files that are something else are problems with their line") {
  CHECK(read("").problem().message == "test.csv:1: is not a square of 0 columns");
  CHECK(read("1,2\n").problem().message == "test.csv:2: is not a square of 2 columns");
  CHECK(read("1,2\n3,4\n5,6\n").problem().message == "test.csv:3: is not a square of 2 columns");
  CHECK(read("1,2\n3\n").problem().message == "test.csv:2: is not a square of 2 columns");
  CHECK(read("1,x\n").problem().message ==
        "test.csv:1: is not a row of numbers, separated by commas");
  CHECK(contains(read_confusion_matrix("/nowhere").problem().message, "/nowhere: "));
}
