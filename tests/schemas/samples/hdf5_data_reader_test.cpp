// The reader hdf5_data_reader, told its datasets as a plan tells them, against numbers worked out
// by hand.
#include <doctest/doctest.h>

#include <filesystem>

#include "tests/schemas/samples/file_case.hpp"
#include "tests/support/hdf5_writer.hpp"

using namespace lbann;
using data_readers::hdf5_dataset;
using tests::Hdf5Storage;
using tests::Hdf5Writer;
using tests::numbers_of;

namespace {

using Numbers = std::vector<double>;
using Dims = std::vector<std::int64_t>;

hdf5_dataset dataset(std::string path, std::string field, bool packed) {
  hdf5_dataset result;
  result.path = std::move(path);
  result.data_field = std::move(field);
  result.packed = packed;
  return result;
}

/// Two files of three samples; each has a picture of 2 x 2 pixels and 3 channels, which are last,
/// and two numbers.
struct RecordsCase : tests::ReaderCase<data_readers::hdf5_data_reader> {
  RecordsCase() {
    write("a.h5", 0, {});
    write("b.h5", 3, {});
    list("CONDUIT_HDF5_INCLUSION\n3 3 2\n" + folder.path() +
         "\na.h5 2 1 RUN/2 RUN/0\nb.h5 1 2 RUN/1\n");
    reader.sample_list = folder.path() + "/list.txt";
    auto picture = dataset("picture", "picture", false);
    picture.dims = {2, 2};
    picture.channels = 3;
    picture.channels_last = picture.to_channels_first = true;
    picture.scale = {1, 10, 100};
    picture.bias = {0.5};
    auto mass = dataset("in/mass", "samples", true), charge = dataset("in/charge", "samples", true);
    charge.rounding = data_readers::Rounding::whole;
    charge.scale = {2};
    reader.datasets = {charge, mass, picture};
  }
  void write(std::string const& name, int start, Hdf5Storage const& storage) const {
    Hdf5Writer writer(folder.path() + "/" + name);
    for (int i = 0; i < 3; ++i) {
      auto const group = "RUN/" + std::to_string(i) + "/";
      std::vector<float> picture;
      for (int k = 0; k < 12; ++k) picture.push_back(static_cast<float>(k));
      writer.write<float>(group + "picture", {2, 2, 3}, picture, storage);
      writer.write<double>(group + "in/mass", {}, {0.25 + start + i});
      writer.write<double>(group + "in/charge", {2}, {1.75, -1.75});
    }
  }
  void list(std::string const& text) const { folder.write_text("list.txt", text); }
};

}  // namespace

TEST_CASE("hdf5_data_reader gives packed and named fields of the samples that are listed") {
  RecordsCase c;
  Hdf5Storage packed;
  packed.chunk = {1, 2, 3};
  packed.deflate = true;
  for (auto const& storage : {Hdf5Storage{}, packed}) {
    c.write("b.h5", 3, storage);
    auto const samples = c.open();
    CHECK(samples->count() == 3);
    REQUIRE(samples->fields().size() == 2);
    CHECK(samples->fields()[0].name == "samples");
    CHECK(samples->fields()[0].dims == Dims{3});
    CHECK(samples->fields()[1].dims == Dims{3, 2, 2});
    for (int again = 0; again < 2; ++again) {  // the second time past the library
      CHECK(numbers_of(*samples, 0, 0).value() == Numbers{2, -2, 2.25});
      CHECK(numbers_of(*samples, 1, 0).value() == Numbers{2, -2, 0.25});
      CHECK(numbers_of(*samples, 2, 0).value() == Numbers{2, -2, 4.25});
      CHECK(numbers_of(*samples, 2, 1).value() ==
            Numbers{0.5, 3.5, 6.5, 9.5, 10.5, 40.5, 70.5, 100.5, 200.5, 500.5, 800.5, 1100.5});
    }
  }
}

TEST_CASE("hdf5_data_reader finds the samples that a list does not exclude") {
  RecordsCase c;
  c.list("CONDUIT_HDF5_EXCLUSION\n4 2 2\n" + c.folder.path() +
         "\na.h5 1 2 RUN/0 RUN/2\nb.h5 3 0\n");
  auto const samples = c.open();
  CHECK(samples->count() == 4);
  for (std::int64_t i = 0; i < 4; ++i)
    CHECK(numbers_of(*samples, i, 0).value()[2] ==
          Numbers{1.25, 3.25, 4.25, 5.25}[static_cast<std::size_t>(i)]);
  c.list("CONDUIT_HDF5_EXCLUSION\n4 2 2\n" + c.folder.path() +
         "\na.h5 1 2 RUN/0 RUN/7\nb.h5 3 0\n");
  CHECK(c.problem().find("list.txt`:4: `a.h5` lacks 1 of the samples that it is to leave out") !=
        std::string::npos);
}

TEST_CASE("hdf5_data_reader takes the list of its trainer, and another folder") {
  RecordsCase c;
  std::filesystem::rename(c.folder.path() + "/list.txt", c.folder.path() + "/t3_list.txt");
  c.reader.sample_list_per_trainer = true;
  OpenContext context;
  CHECK_FALSE(load_samples(c.reader, context, true).good());
  context.trainer = 3;
  CHECK(load_samples(c.reader, context, true).good());
  c.reader.sample_list_per_trainer = false;
  c.list("CONDUIT_HDF5_INCLUSION\n1 0 1\n/nowhere\na.h5 1 0 RUN/1\n");
  CHECK(c.problem().find("there is no folder `/nowhere`") != std::string::npos);
  c.reader.data_filedir = c.folder.path();
  CHECK(c.problem() == "");
}

TEST_CASE("hdf5_data_reader names file, sample and line of what does not fit") {
  RecordsCase c;
  auto const says = [&](std::string const& words) {
    auto const found = c.problem();
    CAPTURE(found);
    CHECK(found.find(words) != std::string::npos);
  };
  c.list("CONDUIT_HDF5_INCLUSION\n2 0 1\n" + c.folder.path() + "\na.h5 2 0 RUN/1 RUN/9\n");
  says("a.h5`: it has no `RUN/9`; there is `0`, `1`, `2` (`");
  says("list.txt`:4)");
  c.list("CONDUIT_HDF5_INCLUSION\n1 0 1\n" + c.folder.path() + "\nc.h5 1 0 RUN/1\n");
  says("there is no file `");
  c.list("CONDUIT_HDF5_INCLUSION\n2 0 2\n" + c.folder.path() +
         "\na.h5 1 0 RUN/1\nb.h5 1 0 RUN/1\n");
  {
    Hdf5Writer writer(c.folder.path() + "/b.h5");
    writer.write<float>("RUN/1/picture", {2, 2, 3}, std::vector<float>(12, 1));
    writer.write<double>("RUN/1/in/mass", {2}, {1, 2});
    writer.write<double>("RUN/1/in/charge", {2}, {1, 2});
  }
  says("b.h5[RUN/1/in/mass]`: it holds [2], 1 numbers were expected");
  c.reader.datasets[2].dims = {3, 2};
  says("a.h5[RUN/1/picture]`: it holds [2, 2, 3], 18 numbers were expected");
  c.reader.datasets.clear();
  says("compile the experiment again where the schemas are");
  c.list("CONDUIT_HDF5_INCLUSION\n2 0 1\n.\na.h5 1 0 RUN/1\n");
  says("list.txt`:2: it says 2 samples, the files below 1");
}
