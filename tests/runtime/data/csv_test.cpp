// Lines of numbers: columns chosen, and every mistake with file, line and column.
#include <doctest/doctest.h>

#include "runtime/data/readers.hpp"
#include "tests/runtime/data/scratch_folder.hpp"

using namespace lbann;
using namespace lbann::runtime;

namespace {

struct CsvCase {
  tests::ScratchFolder folder;
  data_readers::csv reader;

  explicit CsvCase(std::string const& text) {
    folder.write_text("a.csv", text);
    reader.data_filedir = folder.path();
    reader.data_filename = "a.csv";
    reader.num_labels = 3;
  }
  std::shared_ptr<Samples const> open() const {
    auto opened = open_samples(reader, Lookup{});
    if (!opened) FAIL(opened.problem().message);
    return std::move(opened).value();
  }
  /// What is wrong with the file or with one of its samples, without the folder.
  std::string fault() const {
    auto const opened = open_samples(reader, Lookup{});
    std::string text = opened ? "" : opened.problem().message;
    for (std::int64_t i = 0; opened && i < opened.value()->count(); ++i)
      for (std::size_t field = 0; field < opened.value()->fields().size(); ++field) {
        auto const read = values(*opened.value(), i, field);
        if (!read && text.empty()) text = read.problem().message;
      }
    auto const at = text.find(folder.path());
    return at == text.npos ? text : text.replace(at, folder.path().size() + 1, "");
  }
  static Result<std::vector<double>> values(Samples const& samples, std::int64_t index,
                                            std::size_t field) {
    std::vector<double> numbers(
        static_cast<std::size_t>(elements_of(samples.fields()[field].dims)));
    auto const count = static_cast<std::int64_t>(numbers.size());
    auto const read = samples.read(index, field, {numbers.data(), DataType::f64, count});
    if (!read) return read.problem();
    return numbers;
  }
};

using Numbers = std::vector<double>;

}  // namespace

TEST_CASE("csv gives samples and labels of the last column") {
  CsvCase const c("x,y,class\r\n1, 2.5 ,0\r\n\r\n-3e1,\"4\",2");
  auto const samples = c.open();
  CHECK(samples->count() == 2);
  CHECK(CsvCase::values(*samples, 0, 0).value() == Numbers{1, 2.5});
  CHECK(CsvCase::values(*samples, 1, 0).value() == Numbers{-30, 4});
  CHECK(CsvCase::values(*samples, 1, 1).value() == Numbers{0, 0, 1});
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
  CHECK(CsvCase::values(*samples, 1, 0).value() == Numbers{30, 40});
  CHECK(CsvCase::values(*samples, 1, 1).value() == Numbers{0, 0, 1});
  CHECK(CsvCase::values(*samples, 1, 2).value() == Numbers{1.5});
  c.reader.disable_labels = c.reader.disable_responses = true;
  CHECK(CsvCase::values(*c.open(), 0, 0).value() == Numbers{1, 0.5, 10, 20});
}

TEST_CASE("csv names file, line and column of every mistake") {
  CHECK(CsvCase("a,b\n1,0\nx,1\n").fault() == "`a.csv`:3:1: `x` is no number");
  CHECK(CsvCase("a,b\n1,0\n1,7\n").fault() ==
        "`a.csv`:3:3: label 7 is not one of 0 to num_labels - 1 = 2");
  CHECK(CsvCase("a,b\n1,0\n1,nan\n").fault() ==
        "`a.csv`:3:3: label nan is not one of 0 to num_labels - 1 = 2");
  CHECK(CsvCase("a,b\n1,0\n1,2,0\n").fault() ==
        "`a.csv`:3:6: the line has 3 columns, the first one has 2");
  CHECK(CsvCase("a,b\n1,0\n1\n").fault() ==
        "`a.csv`:3:2: the line has 1 columns, the first one has 2");
  CHECK(CsvCase("a,b\n1,0\n\"1,0\n").fault() == "`a.csv`:3:1: a quote is not closed");
  CHECK(CsvCase("a,b\n").fault() == "`a.csv`:1:1: there is no line of numbers before the end");
  CHECK(CsvCase("").fault() == "`a.csv`:0:1: there is no line of numbers before the end");
  CHECK(CsvCase("a;b\n1;0\n").fault() ==
        "`a.csv`:2:1: none of the 1 columns is left for samples; is the separator another one?");
  CsvCase far("a,b\n1,0\n");
  far.reader.label_col = 2;
  CHECK(far.fault() == "`a.csv`:2:1: there are 2 columns, column 2 was asked for (the first is 0)");
  CsvCase same("a,b\n1,0\n");
  same.reader.disable_responses = false;
  same.reader.response_col = 1;
  CHECK(same.fault() == "`a.csv`:2:1: label and response stand in the same column 1");
  CsvCase separator("a,b\n1,0\n");
  separator.reader.separator = "ab";
  CHECK(separator.fault() == "a separator is one character that no number holds");
}
