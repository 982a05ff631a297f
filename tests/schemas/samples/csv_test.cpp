// Lines of numbers: columns chosen, and every mistake with file, line and column.
#include "tests/schemas/samples/file_case.hpp"

using namespace lbann;
using tests::numbers_of;

namespace {

struct CsvCase : tests::FileCase<data_readers::csv> {
  explicit CsvCase(std::string const& text) : FileCase("a.csv", text) {
    reader.data_filename = "a.csv";
    reader.num_labels = 3;
  }
};

using Numbers = std::vector<double>;

}  // namespace

TEST_CASE("csv gives samples and labels of the last column") {
  CsvCase const c("x,y,class\r\n1, 2.5 ,0\r\n\r\n-3e1,\"4\",2");
  auto const samples = c.open();
  CHECK(samples->count() == 2);
  CHECK(numbers_of(*samples, 0, 0).value() == Numbers{1, 2.5});
  CHECK(numbers_of(*samples, 1, 0).value() == Numbers{-30, 4});
  CHECK(numbers_of(*samples, 1, 1).value() == Numbers{0, 0, 1});
}

TEST_CASE("csv takes label and response from the columns that are asked for") {
  CsvCase c("# made by hand\n# twice\n7;1;0.5;10;20\n8;2;1.5;30;40\n");
  c.reader.separator = ";";
  c.reader.skip_rows = 2;
  c.reader.has_header = false;
  c.reader.skip_cols = 1;
  c.reader.label_col = 1;
  c.reader.response_col = 2;
  c.reader.disable_responses = false;
  auto const samples = c.open();
  REQUIRE(samples->fields().size() == 3);
  CHECK(numbers_of(*samples, 1, 0).value() == Numbers{30, 40});
  CHECK(numbers_of(*samples, 1, 1).value() == Numbers{0, 0, 1});
  CHECK(numbers_of(*samples, 1, 2).value() == Numbers{1.5});
  c.reader.disable_labels = c.reader.disable_responses = true;
  CHECK(numbers_of(*c.open(), 0, 0).value() == Numbers{1, 0.5, 10, 20});
}

TEST_CASE("csv names file, line and column of every mistake") {
  CHECK(CsvCase("a,b\n1,0\nx,1\n").problem() == "`a.csv`:3:1: `x` is no number");
  CHECK(CsvCase("a,b\n1,0\n1,7\n").problem() ==
        "`a.csv`:3:3: label 7 is not one of 0 to num_labels - 1 = 2");
  CHECK(CsvCase("a,b\n1,0\n1,nan\n").problem() ==
        "`a.csv`:3:3: label nan is not one of 0 to num_labels - 1 = 2");
  CHECK(CsvCase("a,b\n1,0\n1,2,0\n").problem() ==
        "`a.csv`:3:6: the line has 3 columns, the first one has 2");
  CHECK(CsvCase("a,b\n1,0\n1\n").problem() ==
        "`a.csv`:3:2: the line has 1 columns, the first one has 2");
  CHECK(CsvCase("a,b\n1,0\n\"1,0\n").problem() == "`a.csv`:3:1: a quote is not closed");
  CHECK(CsvCase("a,b\n").problem() == "`a.csv`:1:1: there is no line of numbers before the end");
  CHECK(CsvCase("").problem() == "`a.csv`:0:1: there is no line of numbers before the end");
  CHECK(CsvCase("a;b\n1;0\n").problem() ==
        "`a.csv`:2:1: none of the 1 columns is left for samples; is the separator another one?");
  CsvCase far("a,b\n1,0\n");
  far.reader.label_col = 2;
  CHECK(far.problem() ==
        "`a.csv`:2:1: there are 2 columns, column 2 was asked for (the first is 0)");
  CsvCase same("a,b\n1,0\n");
  same.reader.disable_responses = false;
  same.reader.response_col = 1;
  CHECK(same.problem() == "`a.csv`:2:1: label and response stand in the same column 1");
  CHECK(CsvCase("a,b\n1,0\n" + std::string(1000, 'x') + ",1\n").problem().size() < 100);
  CsvCase separator("a,b\n1,0\n");
  separator.reader.separator = "ab";
  CHECK(separator.problem() == "a separator is one character that no number holds");
}

TEST_CASE("csv loses no line of numbers as a header") {
  CsvCase c("0.5,1,0\n2,3,1\n");
  CHECK(c.problem() ==
        "`a.csv`:1:1: this line would be left out as the one that names the columns, but holds "
        "numbers; if it is a sample write `has_header: false`, if it is to be left out "
        "`has_header: false, skip_rows: 1`");
  c.reader.has_header = false;
  CHECK(numbers_of(*c.open(), 0, 0).value() == Numbers{0.5, 1});
  c.reader.skip_rows = 1;
  CHECK(c.open()->count() == 1);
  CHECK(numbers_of(*c.open(), 0, 0).value() == Numbers{2, 3});
}

TEST_CASE("a byte order mark is no part of the first cell") {
  CsvCase c("\xef\xbb\xbf\"1\",2,0\n3,4,1\n");
  CHECK(c.problem().starts_with("`a.csv`:1:1: this line would be left out"));
  c.reader.has_header = false;
  CHECK(numbers_of(*c.open(), 0, 0).value() == Numbers{1, 2});
}
