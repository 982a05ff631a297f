// Records of CIFAR-10 over several files.
#include <doctest/doctest.h>

#include "schemas/samples/open_samples.hpp"
#include "tests/schemas/samples/scratch_folder.hpp"

using namespace lbann;

namespace {

/// Records with these labels, all pixels of an image the same.
std::vector<std::uint8_t> cifar_records(std::vector<std::uint8_t> const& labels) {
  std::vector<std::uint8_t> bytes;
  for (auto const label : labels) {
    bytes.push_back(label);
    bytes.insert(bytes.end(), 3072, static_cast<std::uint8_t>(10 * label));
  }
  return bytes;
}

}  // namespace

TEST_CASE("cifar10 reads the five training files as one, and the test file") {
  tests::ScratchFolder folder;
  for (std::uint8_t number = 1; number <= 5; ++number)
    folder.write("data_batch_" + std::to_string(number) + ".bin",
                 cifar_records({number, static_cast<std::uint8_t>(number + 1)}));
  folder.write("test_batch.bin", cifar_records({9}));
  data_readers::cifar10 reader;
  reader.data_filedir = folder.path();
  reader.scale = 0.1;
  auto const train = load_samples(reader, {}, true);
  if (!train) FAIL(train.problem().message);
  CHECK(train.value()->count() == 10);
  std::vector<float> image(3072), label(10);
  for (std::int64_t i = 0; i < 10; ++i) {
    auto const expected = i / 2 + 1 + i % 2;
    CHECK(train.value()->read(i, 0, {image.data(), DataType::f32, 3072}).good());
    CHECK(train.value()->read(i, 1, {label.data(), DataType::f32, 10}).good());
    CHECK(image[0] == doctest::Approx(expected));
    CHECK(image[3071] == image[0]);
    CHECK(label[static_cast<std::size_t>(expected)] == 1);
  }
  reader.role = ExecutionMode::testing;
  CHECK(load_samples(reader, {}, true).value()->count() == 1);
}

TEST_CASE("cifar10 names what is wrong with a file") {
  tests::ScratchFolder folder;
  data_readers::cifar10 reader;
  reader.data_filedir = folder.path();
  reader.data_filename = "a.bin";
  CHECK_FALSE(load_samples(reader, {}, true).good());
  for (std::size_t size : {0, 1, 3072, 3074}) {
    folder.write("a.bin", std::vector<std::uint8_t>(size));
    auto const opened = load_samples(reader, {}, true);
    REQUIRE_FALSE(opened.good());
    CHECK(opened.problem().message.find("no multiple of the 3073") != std::string::npos);
  }
  folder.write("a.bin", cifar_records({3, 10}));
  auto const opened = load_samples(reader, {}, true);
  REQUIRE(opened.good());
  std::vector<float> label(10);
  auto const bad = opened.value()->read(1, 1, {label.data(), DataType::f32, 10});
  REQUIRE_FALSE(bad.good());
  CHECK(bad.problem().message.find("label 10 in byte 3073 is not one of 0 to 9") !=
        std::string::npos);
}
