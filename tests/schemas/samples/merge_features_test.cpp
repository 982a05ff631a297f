// Numbers of a sample from several files, labels of another one.
#include "tests/schemas/samples/file_case.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/npy_bytes.hpp"

using namespace lbann;
using testing::contains;
using tests::numbers_of;

namespace {

using Numbers = std::vector<double>;

struct FeaturesCase : tests::FileCase<data_readers::merge_features> {
  FeaturesCase() : FileCase("part1.csv", "a,b\n1,2\n3,4\n") {
    folder.write_text("part2.csv", "c\n5\n6\n");
    folder.write_text("kinds.csv", "kind\n1\n0\n");
    reader.data_file_pattern = "part*.csv";
    reader.format = data_readers::MergedFormat::csv;
    reader.label_filename = "kinds.csv";
    reader.num_labels = 2;
  }
};

}  // namespace

TEST_CASE("merge_features gives the numbers of csv files side by side") {
  FeaturesCase c;
  auto const samples = c.open();
  CHECK(samples->count() == 2);
  REQUIRE(samples->fields().size() == 2);
  CHECK(samples->fields()[0].dims == std::vector<std::int64_t>{3});
  CHECK(numbers_of(*samples, 0, 0).value() == Numbers{1, 2, 5});
  CHECK(numbers_of(*samples, 1, 0).value() == Numbers{3, 4, 6});
  CHECK(numbers_of(*samples, 0, 1).value() == Numbers{0, 1});
  std::vector<float> single(3);
  CHECK(samples->read(1, 0, {single.data(), DataType::f32, 3}).good());
  CHECK(single == std::vector<float>{3, 4, 6});
  c.reader.label_filename.clear();
  CHECK(c.open()->fields().size() == 1);
  c.reader.max_files_to_load = 1;
  CHECK(numbers_of(*c.open(), 1, 0).value() == Numbers{3, 4});
}

TEST_CASE("merge_features takes arrays, whose last numbers may be no features") {
  FeaturesCase c;
  c.folder.write("1.npy", tests::npy_bytes<float>("<f4", "(2, 2)", {1, 2, 3, 4}));
  c.folder.write("2.npy", tests::npy_bytes<double>("<f8", "(2, 2, 1)", {5, 6, 7, 8}));
  c.folder.write("kinds.npy", tests::npy_bytes<std::int64_t>("<i8", "(2,)", {0, 1}));
  c.reader.data_file_pattern = "[12].npy";
  c.reader.format = data_readers::MergedFormat::numpy;
  c.reader.label_filename = "kinds.npy";
  CHECK(numbers_of(*c.open(), 1, 0).value() == Numbers{3, 4, 7, 8});
  CHECK(numbers_of(*c.open(), 1, 1).value() == Numbers{0, 1});
  c.reader.disable_labels = false;
  CHECK(numbers_of(*c.open(), 1, 0).value() == Numbers{3, 7});
}

TEST_CASE("merge_features tells of files that do not fit") {
  FeaturesCase c;
  c.folder.write_text("part2.csv", "c\n5\n");
  CHECK(c.problem() == "`part2.csv`: it holds 1 samples, the files before it 2");
  c.folder.write_text("part2.csv", "c\n5\nx\n");
  CHECK(contains(c.problem(), "part2.csv`:3:1: `x` of column `c` is no number"));
  c.folder.write_text("part2.csv", "c\n5\n6\n");
  c.folder.write_text("kinds.csv", "kind\n1\n");
  CHECK(contains(c.problem(), "it holds 1 samples, but the files before it 2"));
  c.folder.write_text("kinds.csv", "kind\n1\n2\n");
  CHECK(contains(c.problem(), "kinds.csv`:3:1: label 2 is not one of 0 to"));
  c.folder.write_text("kinds.csv", "kind,more\n1,1\n0,1\n");
  CHECK(contains(c.problem(), "kinds.csv`: it has more columns than that of the labels"));
  c.reader.data_file_pattern = "none*.csv";
  CHECK(contains(c.problem(), "none*.csv"));
}
