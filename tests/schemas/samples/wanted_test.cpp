// Targets that nobody wants need not be there.
#include <doctest/doctest.h>

#include <filesystem>

#include "schemas/samples/open_samples.hpp"
#include "tests/schemas/samples/scratch_folder.hpp"

namespace lbann {

namespace {

using Dims = std::vector<std::int64_t>;

/// Opens for predictions from samples of these dims alone; else for all.
OpenedSamples open(DataReader const& reader, std::string const& folder, Dims const& wanted) {
  OpenContext context{{folder}};
  if (!wanted.empty()) context.wanted = {{"samples", wanted}};
  return open_samples(reader, context);
}

/// Whether it is refused for all, and opened for the samples alone, of which there are `count`.
void check_without_targets(DataReader const& reader, std::string const& folder, Dims const& dims,
                           std::int64_t count) {
  CHECK_FALSE(open(reader, folder, {}).good());
  auto const samples = open(reader, folder, dims);
  REQUIRE_MESSAGE(samples.good(), (samples.good() ? "" : samples.problem().message));
  CHECK(samples.value()->count() == count);
  CHECK(samples.value()->fields().front().name == "samples");
}

}  // namespace

TEST_CASE("mnist without a file of labels") {
  tests::ScratchFolder const folder;
  folder.write("images", {0, 0, 8, 3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1, 7, 8});
  data_readers::mnist reader;
  reader.data_filename = "images";
  reader.label_filename = "labels";
  check_without_targets(reader, folder.path(), {1, 2, 1}, 1);
}

TEST_CASE("a table without the column of the label, and with it") {
  tests::ScratchFolder const folder;
  folder.write_text("alone.csv", "a,b\n1,2\n3,4\n5,6\n");
  folder.write_text("whole.csv", "a,b,kind\n1,2,0\n");
  data_readers::csv reader;
  reader.num_labels = 2;
  reader.label_col = 2;
  reader.data_filename = "alone.csv";
  check_without_targets(reader, folder.path(), {2}, 3);
  reader.data_filename = "whole.csv";
  CHECK(open(reader, folder.path(), {2}).value()->count() == 1);
  CHECK(open(reader, folder.path(), {3}).value()->fields().front().dims == Dims{3});
  // Neither with a label nor without one has a sample four numbers.
  CHECK(open(reader, folder.path(), {4}).value()->fields().front().dims == Dims{2});
}

TEST_CASE("a list of images without labels, a folder without classes") {
  tests::ScratchFolder const folder;
  folder.write_text("a b.png", "x");
  folder.write_text("c.jpg", "x");
  folder.write_text("list", "c.jpg\na b.png\n");
  data_readers::imagenet list;
  list.data_filename = "list";
  list.num_labels = 3;
  check_without_targets(list, folder.path(), {3, 4, 4}, 2);
  std::filesystem::create_directory(folder.path() + "/flat");
  std::filesystem::rename(folder.path() + "/c.jpg", folder.path() + "/flat/c.jpg");
  data_readers::image_folder flat;
  flat.data_filedir = "flat";
  check_without_targets(flat, folder.path(), {3, 4, 4}, 1);
}

TEST_CASE("the file that holds the samples of a reader") {
  data_readers::csv table;
  table.data_filedir = "data";
  table.data_filename = "x.csv";
  CHECK(file_of_samples(table, {}).field == "data_filename");
  CHECK(file_of_samples(table, {}).in_folder);
  data_readers::imagenet list;
  list.data_filedir = "images";
  list.data_filename = "images/list";
  CHECK_FALSE(file_of_samples(list, {}).in_folder);
  CHECK(file_of_samples(data_readers::image_folder{}, {}).field == "data_filedir");
  CHECK(file_of_samples(data_readers::digits{}, {}).field.empty());
  DataSource source;
  source.reader.record = to_record(table);
  REQUIRE(reader_of(source).has_value());
  CHECK(to_record(std::get<data_readers::csv>(*reader_of(source))) == source.reader.record);
}

}  // namespace lbann
