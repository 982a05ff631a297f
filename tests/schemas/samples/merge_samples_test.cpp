// Files of one kind as one, in the order of their names.
#include <doctest/doctest.h>

#include "schemas/samples/open_samples.hpp"
#include "tests/schemas/samples/file_case.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/npy_bytes.hpp"

using namespace lbann;
using testing::contains;

namespace {

struct MergeCase : tests::FileCase<data_readers::merge_samples> {
  MergeCase(std::string const& pattern, data_readers::MergedFormat format)
      : FileCase("readme.txt", "no data") {
    reader.data_file_pattern = pattern;
    reader.format = format;
    reader.num_labels = 3;
  }
};

using Numbers = std::vector<double>;

}  // namespace

TEST_CASE("merge_samples gives the samples of csv files, one after the other") {
  MergeCase c("part?.csv", data_readers::MergedFormat::csv);
  c.folder.write_text("part2.csv", "x,y,kind\n5,6,2\n");
  c.folder.write_text("part1.csv", "x,y,kind\n1,2,0\n3,4,1\n");
  c.folder.write_text("part10.csv", "1,2\n");  // not matched
  auto const samples = c.open();
  REQUIRE(samples->count() == 3);
  CHECK(tests::numbers_of(*samples, 0, 0).value() == Numbers{1, 2});
  CHECK(tests::numbers_of(*samples, 1, 0).value() == Numbers{3, 4});
  CHECK(tests::numbers_of(*samples, 2, 0).value() == Numbers{5, 6});
  CHECK(tests::numbers_of(*samples, 2, 1).value() == Numbers{0, 0, 1});
  CHECK(contains(samples->place(2, 0), "part2.csv`:2"));
  c.folder.write_text("part2.csv", "x,kind\n5,2\n");
  CHECK(c.problem() == "`part2.csv`: its samples have other dims than those of the files before");
  c.folder.write_text("part2.csv", "x,y,kind\n5,z,2\n");
  CHECK(contains(c.problem(), "part2.csv`:2:3: `z` of column"));
  c.reader.separator = ";;";
  CHECK(c.problem() == "a separator is one character that no number holds");
}

TEST_CASE("merge_samples gives the samples of .npy files, with the last number as label") {
  MergeCase c("*.npy", data_readers::MergedFormat::numpy);
  c.folder.write("b.npy", tests::npy_bytes<float>("<f4", "(1, 3)", {5, 6, 2}));
  c.folder.write("a.npy", tests::npy_bytes<float>("<f4", "(2, 3)", {1, 2, 0, 3, 4, 1}));
  auto const samples = c.open();
  REQUIRE(samples->count() == 3);
  CHECK(tests::numbers_of(*samples, 1, 0).value() == Numbers{3, 4});
  CHECK(tests::numbers_of(*samples, 2, 1).value() == Numbers{0, 0, 1});
  c.reader.disable_labels = true;
  CHECK(tests::numbers_of(*c.open(), 2, 0).value() == Numbers{5, 6, 2});
  c.folder.write("b.npy", tests::npy_bytes<float>("<f4", "(2, 3)", {5, 6, 2}));
  CHECK(contains(c.problem(), "b.npy`: it ends after"));
}

TEST_CASE("merge_samples names a pattern that no file matches") {
  MergeCase c("*.csv", data_readers::MergedFormat::csv);
  CHECK(contains(c.problem(), "there is no file `*.csv`"));
}

TEST_CASE("merge_samples looks for its files where data are") {
  MergeCase c("*.csv", data_readers::MergedFormat::csv);
  c.folder.write_text("one.csv", "x,y,kind\n1,2,0\n");
  c.reader.data_filedir.clear();
  CHECK_FALSE(open_samples(c.reader, {}).good());
  CHECK(open_samples(c.reader, {{c.folder.path()}}).good());
  CHECK(open_samples(c.reader, {{"/nowhere", c.folder.path()}}).good());
}
