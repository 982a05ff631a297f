// Parts of the samples of a file, files left out, and copies of files on the node.
#include "schemas/samples/sample_range.hpp"

#include <filesystem>
#include <fstream>

#include "tests/schemas/samples/file_case.hpp"

using namespace lbann;
using tests::numbers_of;

namespace {

struct TenSamples : tests::FileCase<data_readers::csv> {
  TenSamples() : FileCase("a.csv", "x\n0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n") {
    reader.data_filename = "a.csv";
    reader.disable_labels = true;
  }
};

}  // namespace

TEST_CASE("sample_range gives a part of the samples, read one by one or in batches") {
  TenSamples c;
  c.reader.sample_range = {3, 7};
  auto const samples = c.open();
  CHECK(samples->count() == 4);
  CHECK(numbers_of(*samples, 0, 0).value() == std::vector<double>{3});
  CHECK(numbers_of(*samples, 3, 0).value() == std::vector<double>{6});
  std::vector<std::int64_t> const indices = {2, 0, 2};
  std::vector<float> values(3);
  FieldColumn const column{0, {values.data(), DataType::f32, 1}};
  CHECK(samples->read_batch(indices, {&column, 1}).good());
  CHECK(values == std::vector<float>{5, 3, 5});
  SampleValues whole;
  CHECK(samples->read_whole(1, 0, whole).good());
  CHECK(whole.values == std::vector<double>{4});
  CHECK(samples->place(1, 0).ends_with("a.csv`:6"));
  CHECK(samples->is_costly());
  c.reader.sample_range = {9, 10};
  CHECK(c.open()->count() == 1);
}

TEST_CASE("a sample_range that there is not is refused") {
  TenSamples c;
  for (std::vector<std::int64_t> const& range :
       {std::vector<std::int64_t>{1}, {1, 1}, {2, 1}, {-1, 1}, {1, 2, 3}}) {
    c.reader.sample_range = range;
    CHECK(c.problem() ==
          "sample_range is the first sample and the one behind the last, as in `[0, 800]`");
  }
  c.reader.sample_range = {0, 11};
  CHECK(c.problem() == "sample_range ends at 11, the data holds 10 samples");
  CHECK(count_in_range({2, 5}, -1).value() == 3);
  CHECK(count_in_range({}, 7).value() == 7);
}

TEST_CASE("max_files_to_load leaves out the last files") {
  tests::ScratchFolder folder;
  for (auto const* name : {"1.csv", "2.csv", "3.csv"}) folder.write_text(name, "x\n1\n");
  data_readers::merge_samples reader;
  reader.data_filedir = folder.path();
  reader.data_file_pattern = "*.csv";
  reader.format = data_readers::MergedFormat::csv;
  reader.disable_labels = true;
  for (std::int64_t const most : {0, 1, 2, 3, 9}) {
    reader.max_files_to_load = most;
    CHECK(load_samples(reader, {}, true).value()->count() == (most == 0 || most > 3 ? 3 : most));
  }
}

TEST_CASE("files that are on the node are read there") {
  TenSamples c;
  tests::ScratchFolder const node;
  c.reader.data_local_filedir = node.path();
  CHECK(c.open()->count() == 10);
  node.write_text("a.csv", "x\n1\n2\n");
  CHECK(c.open()->count() == 2);
}
