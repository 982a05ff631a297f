// The readers hdf5 and cosmoflow_hdf5 against the numbers that were written, and what can be wrong
// with their files.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "schemas/samples/data_file.hpp"
#include "schemas/samples/hdf5_file.hpp"
#include "tests/schemas/samples/copied_files.hpp"
#include "tests/schemas/samples/file_case.hpp"
#include "tests/support/hdf5_writer.hpp"

using namespace lbann;
using tests::Hdf5Storage;
using tests::Hdf5Writer;
using tests::numbers_of;

namespace {

/// Files of a sample each, as those of CosmoFlow: 4 parameters and a volume.
struct VolumesCase : tests::ReaderCase<data_readers::cosmoflow_hdf5> {
  VolumesCase() {
    write("a0.hdf5", 0, {2, 1, 3});
    write("a1.hdf5", 1, {2, 1, 3});
    reader.data_file_pattern = folder.path() + "/*.hdf5";
    reader.num_responses = 4;
  }
  void write(std::string const& name, int start, std::vector<hsize_t> const& dims,
             Hdf5Storage const& storage = {}) const {
    Hdf5Writer writer(folder.path() + "/" + name);
    std::vector<std::int16_t> volume;
    hsize_t count = 1;
    for (auto const size : dims) count *= size;
    for (hsize_t i = 0; i < count; ++i)
      volume.push_back(static_cast<std::int16_t>(10 * start + static_cast<int>(i)));
    writer.write<std::int16_t>("full", dims, volume, storage);
    auto const parameter = static_cast<float>(start);
    writer.write<float>("unitPar", {4}, {parameter, 0.5f, 0.25f, -parameter});
    writer.write<std::int16_t>("segmentation", dims, volume);
    writer.write<std::int32_t>("class", {}, {start});
  }
};

using Dims = std::vector<std::int64_t>;
using Numbers = std::vector<double>;

/// Samples along the first axis, in two files.
struct AxisCase : tests::ReaderCase<data_readers::hdf5> {
  AxisCase() {
    write("a.h5", {3, 2}, {1, 2, 3, 4, 5, 6}, {0, 1, 2});
    write("b.h5", {1, 2}, {7, 8}, {1});
    reader.data_filedir = folder.path();
    reader.data_file_pattern = "*.h5";
    reader.one_sample_per_file = false;
    reader.hdf5_key_data = "x";
    reader.hdf5_key_labels = "y";
    reader.hdf5_key_responses = "";
    reader.num_labels = 3;
  }
  void write(std::string const& name, std::vector<hsize_t> const& dims, std::vector<float> const& x,
             std::vector<std::int64_t> const& y, Hdf5Storage const& storage = {}) const {
    Hdf5Writer writer(folder.path() + "/" + name);
    writer.write<float>("x", dims, x, storage);
    writer.write<std::int64_t>("y", {y.size()}, y);
  }
};

}  // namespace

TEST_CASE("cosmoflow_hdf5 takes each file for a sample, in the order of their names") {
  VolumesCase c;
  auto const opened = load_samples(c.reader, {}, true);
  if (!opened) FAIL(opened.problem().message);
  auto const& samples = *opened.value();
  CHECK(samples.count() == 2);
  REQUIRE(samples.fields().size() == 2);
  CHECK(samples.fields()[0].dims == Dims{2, 1, 3});
  CHECK(samples.fields()[1].dims == Dims{4});
  for (int again = 0; again < 2; ++again) {  // the second time past the library
    CHECK(numbers_of(samples, 1, 0).value() == Numbers{10, 11, 12, 13, 14, 15});
    CHECK(numbers_of(samples, 1, 1).value() == Numbers{1, 0.5, 0.25, -1});
    CHECK(numbers_of(samples, 0, 0).value() == Numbers{0, 1, 2, 3, 4, 5});
  }
  CHECK(samples.place(1, 0).ends_with("a1.hdf5[full]`"));
}

TEST_CASE("hdf5 scales 16-bit integers, packed or not") {
  VolumesCase c;
  Hdf5Storage packed;
  packed.chunk = {1, 1, 2};
  packed.deflate = packed.shuffle = true;
  c.write("a1.hdf5", 1, {2, 1, 3}, packed);
  c.reader.scaling_factor_int16 = 0.5;
  auto const opened = load_samples(c.reader, {}, true);
  if (!opened) FAIL(opened.problem().message);
  CHECK(numbers_of(*opened.value(), 0, 0).value() == Numbers{0, 0.5, 1, 1.5, 2, 2.5});
  CHECK(numbers_of(*opened.value(), 1, 0).value() == Numbers{5, 5.5, 6, 6.5, 7, 7.5});
}

TEST_CASE("hdf5 gives labels as volumes or as classes") {
  VolumesCase c;
  c.reader.disable_responses = true;
  c.reader.hdf5_key_labels = "segmentation";
  c.reader.hdf5_hyperslab_labels = true;
  auto opened = load_samples(c.reader, {}, true);
  if (!opened) FAIL(opened.problem().message);
  REQUIRE(opened.value()->fields().size() == 3);
  CHECK(opened.value()->fields()[2].name == "label_reconstruction");
  for (std::size_t const field : {1u, 2u})
    CHECK(numbers_of(*opened.value(), 1, field).value() == Numbers{10, 11, 12, 13, 14, 15});
  c.reader.hdf5_hyperslab_labels = false;
  c.reader.num_labels = 2;
  CHECK(c.problem().find("[segmentation]`: it holds samples of [2, 1, 3], not class numbers") !=
        std::string::npos);
  c.reader.hdf5_key_labels = "class";
  opened = load_samples(c.reader, {}, true);
  if (!opened) FAIL(opened.problem().message);
  CHECK(numbers_of(*opened.value(), 1, 1).value() == Numbers{0, 1});
  c.reader.num_labels = 1;
  CHECK(c.problem().find("a1.hdf5[class]`: label 1 is not one of 0 to num_labels - 1 = 0") !=
        std::string::npos);
}

TEST_CASE("hdf5 refuses files that differ from the first, or from what is declared") {
  VolumesCase c;
  c.write("a2.hdf5", 2, {2, 3, 1});
  CHECK(c.problem().find("a2.hdf5[full]`: a sample is [2, 3, 1], in `") != std::string::npos);
  c.reader.num_responses = 3;
  CHECK(c.problem().find("it holds 4 responses, `num_responses` is 3") != std::string::npos);
  c.reader.num_responses = 0;
  c.reader.hdf5_key_data = "ful";
  CHECK(c.problem().find("it has no `ful`; did you mean `full`?") != std::string::npos);
  c.reader.hdf5_key_data = "full";
  c.write("a0.hdf5", 2, {2, 0, 1});
  CHECK(c.problem().find("an axis of its samples is empty") != std::string::npos);
  std::filesystem::resize_file(c.folder.path() + "/a0.hdf5", 1000);
  CHECK(c.problem().find("a0.hdf5`: it cannot be opened as an HDF5 file (truncated file") !=
        std::string::npos);
}

TEST_CASE("hdf5 takes the first axis for the samples, file after file") {
  AxisCase c;
  Hdf5Storage packed;
  packed.chunk = {2, 2};
  packed.deflate = true;
  for (auto const& storage : {Hdf5Storage{}, packed}) {
    c.write("a.h5", {3, 2}, {1, 2, 3, 4, 5, 6}, {0, 1, 2}, storage);
    auto const opened = load_samples(c.reader, {}, true);
    if (!opened) FAIL(opened.problem().message);
    auto const& samples = *opened.value();
    CHECK(samples.count() == 4);
    CHECK(samples.fields()[0].dims == Dims{2});
    CHECK(numbers_of(samples, 1, 0).value() == Numbers{3, 4});
    CHECK(numbers_of(samples, 3, 0).value() == Numbers{7, 8});
    CHECK(numbers_of(samples, 2, 1).value() == Numbers{0, 0, 1});
    CHECK(numbers_of(samples, 3, 1).value() == Numbers{0, 1, 0});
    CHECK(samples.place(3, 0).ends_with("b.h5[x]` sample 0"));
    CHECK(samples.is_costly() == !storage.chunk.empty());
  }
}

TEST_CASE("hdf5 along the first axis refuses what does not fit together") {
  AxisCase c;
  c.write("b.h5", {1, 2}, {7, 8}, {3});
  CHECK(c.problem().find("b.h5[y]`: label 3 is not one of 0 to num_labels - 1 = 2 (sample 0 of the "
                         "file, the first is 0)") != std::string::npos);
  c.write("b.h5", {1, 2}, {7, 8}, {1, 2});
  CHECK(c.problem().find("b.h5[y]`: it holds 2 samples, `x` 1") != std::string::npos);
  c.write("b.h5", {1, 3}, {7, 8, 9}, {1});
  CHECK(c.problem().find("b.h5[x]`: a sample is [3], in `") != std::string::npos);
  c.write("b.h5", {}, {7}, {1});
  CHECK(c.problem().find("b.h5[x]`: it holds a single number, not samples") != std::string::npos);
  c.reader.data_file_pattern = "*.none";
  CHECK(c.problem().find("there is no file") != std::string::npos);
  Hdf5Storage damaged;
  damaged.chunk = {2, 2};
  damaged.fletcher32 = true;
  c.reader.data_file_pattern = "c.h5";
  c.write("c.h5", {2, 2}, {1.5, 2, 3, 4}, {0, 1}, damaged);
  auto const file = DataFile::open(c.folder.path() + "/c.h5");
  auto bytes = file.value().bytes(0, file.value().size()).value();
  float const number = 1.5;
  auto const* const raw = reinterpret_cast<std::uint8_t const*>(&number);
  auto const at = std::search(bytes.begin(), bytes.end(), raw, raw + 4);
  REQUIRE(at != bytes.end());
  *at ^= 1;
  c.folder.write("c.h5", bytes);
  CHECK(c.problem().find("c.h5[x]`: chunk 0 is damaged: its checksum is another one") !=
        std::string::npos);
}

TEST_CASE("hdf5 reads a dataset without samples") {
  AxisCase c;
  c.reader.data_file_pattern = "empty.h5";
  c.write("empty.h5", {0, 2}, {}, {});
  auto const opened = load_samples(c.reader, {}, true);
  if (!opened) FAIL(opened.problem().message);
  CHECK(opened.value()->count() == 0);
}

TEST_CASE("hdf5 gives any fields by the names of their datasets") {
  AxisCase c;
  Hdf5Writer(c.folder.path() + "/c.h5").write<std::int16_t>("group/z", {2, 1, 2}, {1, 2, 3, 4});
  c.reader.data_file_pattern = "c.h5";
  c.reader.hdf5_key_labels = "";
  c.reader.scaling_factor_int16 = 0.5;
  c.reader.num_responses = 2;
  c.reader.datasets = {"samples=group/z", "image=group/z", "again=group/z", "responses=group/z"};
  auto const opened = c.open();
  REQUIRE(opened->fields().size() == 4);
  std::vector<std::pair<Dims, Numbers>> const expected{
      {{1, 2}, {1.5, 2}}, {{1, 2}, {3, 4}}, {{1, 2}, {3, 4}}, {{2}, {3, 4}}};
  for (std::size_t field = 0; field < 4; ++field) {
    auto const name = opened->fields()[field].name;
    CAPTURE(name);
    auto const which = name == "samples" ? 0u : name == "responses" ? 3u : 1u;
    CHECK(opened->fields()[field].dims == expected[which].first);
    CHECK(numbers_of(*opened, 1, field).value() == expected[which].second);
  }
  c.reader.datasets = {"image=group/y"};
  CHECK(c.problem().find("`group/y`; there is `z`") != std::string::npos);
}

TEST_CASE("hdf5 leaves datasets alone of fields that nobody wants") {
  AxisCase c;
  c.reader.hdf5_key_labels = "";
  c.reader.datasets = {"image=x", "labels=none"};
  CHECK_FALSE(open_samples(c.reader, {}).good());
  OpenContext context;
  context.wanted = {{"image", {2}}};
  auto const opened = open_samples(c.reader, context);
  REQUIRE_MESSAGE(opened.good(), (opened.good() ? "" : opened.problem().message));
  CHECK(opened.value()->fields().size() == 1);
  CHECK(opened.value()->count() == 4);
}

TEST_CASE("a new HDF5 file has room for numbers that are written past the library") {
  tests::ScratchFolder const folder;
  auto const path = folder.path() + "/new.h5";
  std::vector<NewHdf5Dataset> const made{{"deep/er/x", DataType::f32, {3, 2}},
                                         {"y", DataType::i32, {3}},
                                         {"z", DataType::f64, {0, 4}}};
  auto const begins = create_hdf5_file(path, made);
  REQUIRE_MESSAGE(begins.good(), (begins.good() ? "" : begins.problem().message));
  std::vector<float> const x{1, 2, 3, 4, 5, 6.5};
  std::vector<std::int32_t> const y{7, 8, 9};
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(begins.value()[0]);
    file.write(reinterpret_cast<char const*>(x.data()), 24);
    file.seekp(begins.value()[1]);
    file.write(reinterpret_cast<char const*>(y.data()), 12);
  }
  data_readers::hdf5 reader;
  reader.data_file_pattern = path;
  reader.one_sample_per_file = false;
  reader.datasets = {"samples=deep/er/x", "y=y"};
  auto const opened = load_samples(reader, {}, true);
  REQUIRE_MESSAGE(opened.good(), (opened.good() ? "" : opened.problem().message));
  CHECK(numbers_of(*opened.value(), 2, 0).value() == Numbers{5, 6.5});
  CHECK(numbers_of(*opened.value(), 1, 1).value() == Numbers{8});
  CHECK(load_hdf5_array(path, "z").value().dims == Dims{0, 4});
  auto const clash = create_hdf5_file(
      path, std::vector<NewHdf5Dataset>{{"a", DataType::f32, {1}}, {"a/b", DataType::f32, {1}}});
  REQUIRE_FALSE(clash.good());
  CHECK(clash.problem().message.starts_with("no dataset `a/b` can be made"));
}

TEST_CASE("hdf5 reads copies of its files as soon as there are some") {
  tests::CopiedFiles copies;
  OpenContext context;
  context.staging = &copies;
  VolumesCase volumes;
  AxisCase rows;
  auto const of_volumes = load_samples(volumes.reader, context, true).value();
  auto const of_rows = load_samples(rows.reader, context, true).value();
  REQUIRE(copies.announced.size() == 4);
  for (auto const* folder : {&volumes.folder, &rows.folder})
    std::filesystem::create_directories(folder->path() + "/copies");
  CHECK(numbers_of(*of_volumes, 1, 1).value() == Numbers{1, 0.5, 0.25, -1});
  CHECK(numbers_of(*of_volumes, 1, 0).value() == Numbers{10, 11, 12, 13, 14, 15});
  CHECK(numbers_of(*of_rows, 3, 0).value() == Numbers{7, 8});

  volumes.write("copies/a1.hdf5", 3, {2, 1, 3});
  rows.write("copies/b.h5", {1, 2}, {17, 18}, {2});
  for (int again = 0; again < 2; ++again) {
    CHECK(numbers_of(*of_volumes, 0, 1).value() == Numbers{0, 0.5, 0.25, 0});
    CHECK(numbers_of(*of_volumes, 1, 1).value() == Numbers{3, 0.5, 0.25, -3});
    CHECK(numbers_of(*of_rows, 3, 0).value() == Numbers{17, 18});
    CHECK(numbers_of(*of_rows, 3, 1).value() == Numbers{0, 0, 1});
    CHECK(numbers_of(*of_rows, 0, 0).value() == Numbers{1, 2});
  }
  // What is wrong is told of the file that the user knows.
  rows.write("copies/b.h5", {1, 2}, {17, 18}, {9});
  auto const wrong = numbers_of(*of_rows, 3, 1);
  REQUIRE_FALSE(wrong);
  CHECK(wrong.problem().message.starts_with("`" + rows.folder.path() + "/b.h5[y]`: label 9"));
  rows.folder.write_text("copies/b.h5", "no longer a file of HDF5, nor as long as one");
  CHECK_FALSE(numbers_of(*of_rows, 3, 0));
  std::filesystem::remove_all(rows.folder.path() + "/copies");
  CHECK(numbers_of(*of_rows, 3, 0).value() == Numbers{7, 8});
}
