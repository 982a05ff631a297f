// IDX files: plain and gzip, and everything that can be wrong with them.
#include <doctest/doctest.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>

#include "schemas/samples/open_samples.hpp"
#include "tests/schemas/samples/scratch_folder.hpp"
#include "tests/support/contains.hpp"

using namespace lbann;
using testing::contains;

namespace {

using Bytes = std::vector<std::uint8_t>;

/// Two images of 2 x 3 pixels and their labels.
Bytes const images = {0, 0, 8, 3, 0, 0, 0, 2, 0,  0,  0,  2,  0,  0,
                      0, 3, 0, 1, 2, 3, 4, 5, 10, 20, 30, 40, 50, 255};
Bytes const labels = {0, 0, 8, 1, 0, 0, 0, 2, 3, 9};

void write_gzip(std::string const& path, Bytes const& bytes) {
  auto* file = gzopen(path.c_str(), "wb");
  REQUIRE(file != nullptr);
  CHECK(gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size())) ==
        static_cast<int>(bytes.size()));
  gzclose(file);
}

data_readers::mnist reader_of(std::string const& folder, std::string const& image_file,
                              std::string const& label_file) {
  data_readers::mnist reader;
  reader.data_filedir = folder;
  reader.data_filename = image_file;
  reader.label_filename = label_file;
  return reader;
}

/// What is wrong with these files; empty if nothing.
std::string problem(Bytes const& image_bytes, Bytes const& label_bytes) {
  tests::ScratchFolder folder;
  folder.write("i", image_bytes);
  folder.write("l", label_bytes);
  auto const samples = load_samples(reader_of(folder.path(), "i", "l"), {}, true);
  return samples ? "" : samples.problem().message;
}

Bytes with(Bytes bytes, std::size_t at, std::uint8_t value) {
  bytes[at] = value;
  return bytes;
}

Bytes cut(Bytes bytes, std::size_t size) {
  bytes.resize(size);
  return bytes;
}

}  // namespace

TEST_CASE("mnist reads IDX files, plain or gzip, by data root") {
  tests::ScratchFolder folder;
  folder.write("i", images);
  write_gzip(folder.path() + "/l.gz", labels);
  auto reader = reader_of("", "i", "l.gz");
  reader.scale = 0.5;
  auto const opened = load_samples(reader, {{folder.path()}}, true);
  if (!opened) FAIL(opened.problem().message);
  auto const& samples = *opened.value();
  CHECK(samples.count() == 2);
  CHECK(samples.fields()[0].dims == std::vector<std::int64_t>{1, 2, 3});
  std::vector<double> pixels(6), hot(10);
  CHECK(samples.read(1, 0, {pixels.data(), DataType::f64, 6}).good());
  CHECK(pixels == std::vector<double>{5, 10, 15, 20, 25, 127.5});
  CHECK(samples.read(1, 1, {hot.data(), DataType::f64, 10}).good());
  CHECK(hot == std::vector<double>{0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
}

TEST_CASE("mnist names what is wrong with its files") {
  CHECK(problem(images, labels) == "");
  CHECK(contains(problem(with(images, 1, 7), labels), "does not begin like an IDX file of bytes"));
  CHECK(
      contains(problem(with(images, 2, 0x0d), labels), "does not begin like an IDX file of bytes"));
  CHECK(contains(problem(labels, images), "3 axes"));
  Bytes const one = cut(with(labels, 7, 1), 9), three = {0, 0, 8, 1, 0, 0, 0, 3, 3, 9, 1};
  CHECK(contains(problem(with(images, 7, 3), three), "`: it ends after 28 of 34 bytes"));
  CHECK(contains(problem(with(images, 7, 1), one), "longer"));
  CHECK(contains(problem(images, cut(three, 10)),
                 "l`: it holds 3 samples, but the files before it 2"));
  CHECK(contains(problem(with(images, 4, 0x7f), labels), "the files before it 2130706434"));
  CHECK(contains(problem(images, cut(labels, 9)), "`: it ends after 9 of 10 bytes"));
  Bytes const vast = {0, 0, 8, 3, 0, 0, 0, 0, 255, 255, 255, 255, 255, 139, 8, 0};
  CHECK(contains(problem(vast, {0, 0, 8, 1, 0, 0, 0, 0}), "its samples are too large to count"));
  CHECK(contains(problem(with(images, 7, 1), with(labels, 7, 1)), "longer"));
  CHECK(
      contains(problem(images, with(labels, 8, 10)),
               "l`: label 10 of sample 0 (the first is 0) is not one of 0 to num_labels - 1 = 9"));
  for (std::size_t size = 0; size < images.size(); ++size)
    CHECK(contains(problem(cut(images, size), labels), "ends after"));
  auto const missing = load_samples(reader_of("nowhere", "i", "l"), {{"/root"}}, true);
  REQUIRE_FALSE(missing.good());
  CHECK(contains(missing.problem().message, "/root/nowhere/i"));
  CHECK(contains(missing.problem().message, "--data-root"));
}

TEST_CASE("mnist notices damaged gzip data") {
  tests::ScratchFolder folder;
  Bytes large(784 * 50 + 16, 3);
  std::copy_n(Bytes{0, 0, 8, 3, 0, 0, 0, 50, 0, 0, 0, 28, 0, 0, 0, 28}.begin(), 16, large.begin());
  for (std::size_t i = 16; i < large.size(); ++i) large[i] = static_cast<std::uint8_t>(i * i >> 3);
  write_gzip(folder.path() + "/i", large);
  Bytes of_all(8 + 50, 1);
  std::copy_n(Bytes{0, 0, 8, 1, 0, 0, 0, 50}.begin(), 8, of_all.begin());
  folder.write("l", of_all);
  CHECK(load_samples(reader_of(folder.path(), "i", "l"), {}, true).good());
  auto const size = std::filesystem::file_size(folder.path() + "/i");
  std::filesystem::resize_file(folder.path() + "/i", size / 2);
  CHECK_FALSE(load_samples(reader_of(folder.path(), "i", "l"), {}, true).good());
}

TEST_CASE("mnist reads the real thing" * doctest::skip(std::getenv("LBANN_TEST_DATA") == nullptr)) {
  auto const opened =
      load_samples(reader_of("mnist", "t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz"),
                   {{std::getenv("LBANN_TEST_DATA")}}, true);
  if (!opened) FAIL(opened.problem().message);
  CHECK(opened.value()->count() == 10000);
  std::vector<double> hot(10);
  CHECK(opened.value()->read(0, 1, {hot.data(), DataType::f64, 10}).good());
  CHECK(hot[7] == 1);
}

TEST_CASE("mnist unpacks no images that the labels do not know") {
  tests::ScratchFolder folder;
  Bytes bomb(std::size_t{8} << 20);
  std::copy_n(Bytes{0, 0, 8, 3, 0, 1, 0, 0, 0, 0, 0, 28, 0, 0, 0, 28}.begin(), 16, bomb.begin());
  write_gzip(folder.path() + "/i", bomb);
  // Whoever unpacks it all finds it damaged.
  std::filesystem::resize_file(folder.path() + "/i", 1000);
  folder.write("l", labels);
  auto const opened = load_samples(reader_of(folder.path(), "i", "l"), {}, true);
  REQUIRE_FALSE(opened.good());
  CHECK(contains(opened.problem().message, "it holds 2 samples, but the files before it 65536"));
}

TEST_CASE("first_n reads the begin of both files") {
  tests::ScratchFolder folder;
  folder.write("i", images);
  folder.write("l", labels);
  auto reader = reader_of(folder.path(), "i", "l");
  reader.first_n = 1;
  auto const samples = load_samples(reader, {}, true);
  if (!samples) FAIL(samples.problem().message);
  CHECK(samples.value()->count() == 1);
  std::vector<float> label(10);
  CHECK(samples.value()->read(0, 1, {label.data(), DataType::f32, 10}).good());
  CHECK(label[3] == 1);
  reader.first_n = 3;
  CHECK(contains(load_samples(reader, {}, true).problem().message,
                 "it holds 2 samples, first_n asks for 3"));
  // What is left out is still there.
  folder.write("i", cut(images, images.size() - 1));
  reader.first_n = 1;
  CHECK_FALSE(load_samples(reader, {}, true).good());
}
