// .npy files of every type, and everything that can be wrong with them; synthetic data.
#include <doctest/doctest.h>

#include <cmath>

#include "schemas/samples/npy_file.hpp"
#include "schemas/samples/open_samples.hpp"
#include "tests/schemas/samples/scratch_folder.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/npy_bytes.hpp"

using namespace lbann;
using testing::contains;

namespace {

using Bytes = std::vector<std::uint8_t>;

template <class T>
Bytes npy(std::string const& descr, std::string const& shape, std::vector<T> const& values,
          std::string const& order = "False") {
  return tests::npy_bytes(descr, shape, values, order);
}

/// What is wrong with this file; empty if nothing.
std::string problem(Bytes const& bytes) {
  tests::ScratchFolder folder;
  folder.write("a.npy", bytes);
  auto array = open_npy_file(folder.path() + "/a.npy");
  if (!array) return array.problem().message;
  auto const loaded = array.value().load(true);
  return loaded ? "" : loaded.problem().message;
}

template <class T>
void check_type(std::string const& descr) {
  tests::ScratchFolder folder;
  folder.write("a.npy", npy<T>(descr, "(2, 3)", {1, 2, 3, 4, 5, 6}));
  auto array = open_npy_file(folder.path() + "/a.npy");
  if (array) REQUIRE(array.value().load(true).good());
  if (!array) FAIL(array.problem().message);
  CHECK(array.value().dims == std::vector<std::int64_t>{2, 3});
  double sum = 0;
  auto const add = [&](std::int64_t, double value) { sum = 10 * sum + value; };
  CHECK(array.value().each(2, 3, add).good());
  CHECK(sum == 345);
}

}  // namespace

TEST_CASE("read_npy_file takes every little-endian number") {
  check_type<float>("<f4");
  check_type<double>("<f8");
  check_type<std::int8_t>("|i1");
  check_type<std::int16_t>("<i2");
  check_type<std::int32_t>("<i4");
  check_type<std::int64_t>("<i8");
  check_type<std::uint8_t>("|u1");
  check_type<std::uint16_t>("<u2");
  check_type<std::uint32_t>("<u4");
  check_type<std::uint64_t>("<u8");
}

TEST_CASE("read_npy_file names what is wrong") {
  auto const good = npy<float>("<f4", "(2, 3)", {1, 2, 3, 4, 5, 6});
  CHECK(problem(good) == "");
  CHECK(contains(problem(npy<float>(">f4", "(1,)", {1})), ">f4"));
  CHECK(contains(problem(npy<float>("<c8", "(1,)", {1, 1})), "<c8"));
  CHECK(contains(problem(npy<float>("<f4", "(1, 1)", {1}, "True")), "Fortran"));
  CHECK(contains(problem(npy<float>("<f4", "(2,)", {1})), "ends after"));
  CHECK(contains(problem(npy<float>("<f4", "(1,)", {1, 2})), "longer"));
  CHECK(contains(problem(npy<float>("<f4", "(-1,)", {1})), "shape"));
  CHECK(contains(problem(npy<float>("<f4", "(4611686018427387904, 9)", {1})), "impossible"));
  CHECK(contains(problem(npy<float>("<f4", "(1073741824, 64)", {1})), "ends after"));
  CHECK(contains(problem(npy<float>("<f4", "1", {1})), "shape"));
  for (std::size_t size = 0; size < good.size(); ++size)
    CHECK(problem({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)}) != "");
  for (std::size_t i = 0; i < 10; ++i) {
    auto damaged = good;
    damaged[i] ^= 0x55;  // but the minor version, which changes nothing
    CHECK((i == 7) == problem(damaged).empty());
  }
}

TEST_CASE("integers that a float would round are a problem") {
  tests::ScratchFolder folder;
  folder.write("a.npy", npy<std::int64_t>("<i8", "(3,)", {16777216, 16777217, 1 << 30}));
  auto array = open_npy_file(folder.path() + "/a.npy");
  REQUIRE(array.good());
  REQUIRE(array.value().load(true).good());
  float single[3];
  double whole[3];
  auto const as_floats = [&](std::int64_t first, double scale) {
    auto const read = array.value().read(first, {single, DataType::f32, 1}, scale);
    return read ? std::string() : read.problem().message;
  };
  CHECK(as_floats(0, 1) == "");
  CHECK(single[0] == 16777216.0F);
  CHECK(as_floats(2, 1) == "");
  CHECK(contains(as_floats(1, 1), "its number 1, 16777217, is not exact in 32 bits"));
  CHECK(as_floats(1, 0.5) == "");
  REQUIRE(array.value().read(0, {whole, DataType::f64, 3}, 1).good());
  CHECK(whole[1] == 16777217);
}

TEST_CASE("numpy gives samples, labels and responses") {
  tests::ScratchFolder folder;
  folder.write("x.npy", npy<std::int32_t>("<i4", "(2, 3)", {1, 2, 3, 4, 5, 6}));
  folder.write("y.npy", npy<std::int64_t>("<i8", "(2,)", {0, 3}));
  folder.write("z.npy", npy<float>("<f4", "(2, 1)", {0.5f, -1}));
  data_readers::numpy reader;
  reader.data_filedir = folder.path();
  reader.data_filename = "x.npy";
  reader.label_filename = "y.npy";
  reader.response_filename = "z.npy";
  reader.num_labels = 4;
  reader.scale = 2;
  auto const opened = load_samples(reader, {}, true);
  if (!opened) FAIL(opened.problem().message);
  auto const& samples = *opened.value();
  CHECK(samples.count() == 2);
  std::vector<float> x(3), y(4), z(1);
  CHECK(samples.read(1, 0, {x.data(), DataType::f32, 3}).good());
  CHECK(samples.read(1, 1, {y.data(), DataType::f32, 4}).good());
  CHECK(samples.read(1, 2, {z.data(), DataType::f32, 1}).good());
  CHECK(x == std::vector<float>{8, 10, 12});
  CHECK(y == std::vector<float>{0, 0, 0, 1});
  CHECK(z == std::vector<float>{-1});

  reader.num_labels = 3;
  auto const small = load_samples(reader, {}, true);
  REQUIRE_FALSE(small.good());
  CHECK(contains(
      small.problem().message,
      "y.npy`: label 3 of sample 1 (the first is 0) is not one of 0 to num_labels - 1 = 2"));
  folder.write("y.npy", npy<std::int64_t>("<i8", "(3,)", {0, 1, 2}));
  auto const more = load_samples(reader, {}, true);
  REQUIRE_FALSE(more.good());
  CHECK(contains(more.problem().message, "3 samples"));
}

TEST_CASE("numpy takes the last number of a sample for its label or response") {
  tests::ScratchFolder folder;
  folder.write("x.npy", npy<float>("<f4", "(2, 3)", {0.5f, 1.5f, 1, 2.5f, 3.5f, 2}));
  data_readers::numpy reader;
  reader.data_filedir = folder.path();
  reader.data_filename = "x.npy";
  for (bool const label : {true, false}) {
    CAPTURE(label);
    reader.disable_labels = !label;
    reader.disable_responses = label;
    reader.num_labels = 3;
    auto const opened = load_samples(reader, {}, true);
    if (!opened) FAIL(opened.problem().message);
    auto const& samples = *opened.value();
    REQUIRE(samples.fields().size() == 2);
    CHECK(samples.fields()[0].dims == std::vector<std::int64_t>{2});
    CHECK(samples.fields()[1].name == (label ? "labels" : "responses"));
    std::vector<double> x(2), y(label ? 3 : 1);
    CHECK(samples.read(1, 0, {x.data(), DataType::f64, 2}).good());
    CHECK(samples.read(1, 1, {y.data(), DataType::f64, label ? 3 : 1}).good());
    CHECK(x == std::vector<double>{2.5, 3.5});
    CHECK(y == (label ? std::vector<double>{0, 0, 1} : std::vector<double>{2}));
    if (!label) continue;
    // Two classes: the second sample has none of them.
    auto const bad = samples.read(1, 1, {y.data(), DataType::f64, 2});
    REQUIRE_FALSE(bad.good());
    CHECK(contains(bad.problem().message,
                   "label 2 of sample 1 (the first is 0) is not one of 0 to num_labels - 1 = 1"));
  }
  folder.write("x.npy", npy<float>("<f4", "(2,)", {0, 1}));
  CHECK_FALSE(load_samples(reader, {}, true).good());
}

TEST_CASE("synthetic samples are standard normal functions of their number") {
  data_readers::synthetic reader;
  reader.num_samples = 100;
  reader.synth_dimensions = {3, 37};
  reader.num_labels = 4;
  reader.synth_response_dimensions = {5};
  reader.data_fields = {"more"};
  auto const opened = load_samples(reader, {}, true);
  REQUIRE(opened.good());
  auto const& samples = *opened.value();
  REQUIRE(samples.fields().size() == 4);
  CHECK(samples.fields()[3].dims.empty());  // as the plan says
  std::vector<double> more(2);
  CHECK(samples.read(0, 3, {more.data(), DataType::f64, 2}).good());
  CHECK(more[0] != more[1]);
  std::vector<double> x(111), again(111), hot(4);
  double sum = 0, squares = 0;
  std::vector<double> labels(4);
  for (std::int64_t i = 0; i < 100; ++i) {
    CHECK(samples.read(i, 0, {x.data(), DataType::f64, 111}).good());
    CHECK(samples.read(i, 0, {again.data(), DataType::f64, 111}).good());
    CHECK(x == again);
    for (auto value : x) {
      sum += value;
      squares += value * value;
    }
    CHECK(samples.read(i, 1, {hot.data(), DataType::f64, 4}).good());
    for (std::size_t k = 0; k < 4; ++k) labels[k] += hot[k];
  }
  // Five standard deviations of the means of 11100 numbers; labels of 100 draws with p = 1/4.
  CHECK(std::abs(sum / 11100) < 5 / 105.4);
  CHECK(std::abs(squares / 11100 - 1) < 5 * 1.414 / 105.4);
  for (auto count : labels) CHECK(std::abs(count - 25) < 5 * 4.4);
}
