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
  CHECK(CsvCase("a,b\n1,0\nx,1\n").problem() == "`a.csv`:3:1: `x` of column `a` is no number");
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
  CHECK(CsvCase("a,b\n1,0\n" + std::string(1000, 'x') + ",1\n").problem().size() < 120);
  CsvCase separator("a,b\n1,0\n");
  separator.reader.separator = "ab";
  CHECK(separator.problem() == "a separator is one character that no number holds");
}

TEST_CASE("csv gives fields of columns by name") {
  CsvCase c(
      "id,length,\"width, mm\",kind,note\r\n7,1,2,0,\"two\r\nlines, \"\"so\"\"\"\r\n8,3,4,2,\r\n");
  c.reader.columns = {"samples=width, mm", "samples=length", "labels=kind",
                      "responses=length",  "number=id",      "number=id"};
  auto const samples = c.open();
  CHECK(samples->count() == 2);
  REQUIRE(samples->fields().size() == 4);
  CHECK(samples->fields()[3].name == "number");
  CHECK(numbers_of(*samples, 0, 0).value() == Numbers{2, 1});
  CHECK(numbers_of(*samples, 1, 0).value() == Numbers{4, 3});
  CHECK(numbers_of(*samples, 1, 1).value() == Numbers{0, 0, 1});
  CHECK(numbers_of(*samples, 1, 2).value() == Numbers{3});
  CHECK(numbers_of(*samples, 1, 3).value() == Numbers{8, 8});
  CHECK(samples->place(1, 0).ends_with("a.csv`:4"));
  auto const given = c.reader.gives();
  REQUIRE(given.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK(given[i].dims == samples->fields()[i].dims);
  c.reader.label_col = 0;
  CHECK(c.problem() == "`columns` says which columns are used, and as what");
  c.reader.label_col = -1;
  c.reader.columns.push_back("labels=id");
  CHECK(c.problem() == "`labels` is one column of class numbers");
  c.reader.columns = {"id"};
  CHECK(c.problem() == "each is a data field and a column: `samples=length`");
  c.reader.has_header = false;
  CHECK(c.problem() == "`columns` are named by a header");
}

TEST_CASE("csv takes classes by name") {
  CsvCase c("x,kind\n1,cat\n2,\"dog, small\"\n");
  c.reader.num_labels = 0;
  c.reader.classes = {"dog, small", "horse", "cat"};
  auto const samples = c.open();
  CHECK(samples->fields()[1].dims == std::vector<std::int64_t>{3});
  CHECK(c.reader.gives()[1].dims == std::vector<std::int64_t>{3});
  CHECK(numbers_of(*samples, 0, 1).value() == Numbers{0, 0, 1});
  CHECK(numbers_of(*samples, 1, 1).value() == Numbers{1, 0, 0});
  c.reader.classes = {"cat"};
  CHECK(c.problem() == "`a.csv`:3:3: `dog, small` is not one of `classes`");
  c.reader.num_labels = 2;
  CHECK(c.problem() == "`classes` names 1");
}

TEST_CASE("csv gives a column of labels alone where it is named") {
  CsvCase c("kind\n2\n0\n");
  c.reader.label_col = 0;
  REQUIRE(c.open()->fields().size() == 1);
  CHECK(numbers_of(*c.open(), 0, 0).value() == Numbers{0, 0, 1});
}

TEST_CASE("csv tells of values that are missing") {
  CHECK(CsvCase("a,b\n1,0\n,1\n").problem() ==
        "`a.csv`:3:1: the value of column `a` is missing; write a number there, or leave this "
        "sample out of the file");
  CHECK(CsvCase("a,b,c\n1,0,1\n1,NA,2\n").problem() ==
        "`a.csv`:3:3: the value of column `b` is missing (`NA`); write a number there, or leave "
        "this sample out of the file");
  CsvCase unused("a,note,b\n1,,0\n2,NA,1\n");
  unused.reader.columns = {"samples=a"};
  CHECK(unused.problem().empty());
  CHECK(numbers_of(*CsvCase("a,b\nnan,0\n").open(), 0, 0).value()[0] !=
        numbers_of(*CsvCase("a,b\nnan,0\n").open(), 0, 0).value()[0]);
}

TEST_CASE("csv reads or refuses files with any byte changed or cut off") {
  std::string const good = "a,\"b \"\"c\",kind\r\n1,\"2\",0\n\"-3\",4e1,1\n\n5,6,2";
  int refused = 0, read = 0;
  for (std::size_t at = 0; at < good.size(); ++at)
    for (char const byte : {'\0', '"', ',', '\n', '\r', '7', '\xff'}) {
      auto text = good;
      text[at] = byte;
      for (auto const& bytes : {text, good.substr(0, at)}) {
        auto const problem = CsvCase(bytes).problem();
        CAPTURE(bytes);
        if (!problem.empty()) CHECK(problem.starts_with("`a.csv`:"));
        ++(problem.empty() ? read : refused);
      }
    }
  CHECK(refused > 300);
  CHECK(read > 10);
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
