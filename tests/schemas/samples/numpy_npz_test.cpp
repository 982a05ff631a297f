// Archives as numpy.savez and numpy.savez_compressed write them, and damaged ones.
#include <doctest/doctest.h>
#include <zlib.h>

#include <algorithm>

#include "schemas/samples/open_samples.hpp"
#include "tests/schemas/samples/scratch_folder.hpp"
#include "tests/support/npy_bytes.hpp"
#include "tests/support/zip_bytes.hpp"

using namespace lbann;

namespace {

using NpzBytes = std::vector<std::uint8_t>;

tests::ZipMember member(std::string name, NpzBytes const& bytes, bool deflated) {
  tests::ZipMember result{std::move(name), bytes, static_cast<std::uint32_t>(bytes.size()), 0, 0};
  result.check = static_cast<std::uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
  if (!deflated) return result;
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  result.packed.resize(bytes.size() + 100);
  stream.next_in = const_cast<std::uint8_t*>(bytes.data());
  stream.avail_in = static_cast<unsigned>(bytes.size());
  stream.next_out = result.packed.data();
  stream.avail_out = static_cast<unsigned>(result.packed.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  result.packed.resize(stream.total_out);
  deflateEnd(&stream);
  result.method = 8;
  return result;
}

NpzBytes archive(bool deflated) {
  return tests::zip_bytes(
      {member("data.npy", tests::npy_bytes<std::int16_t>("<i2", "(2, 2)", {1, 2, 3, 4}), deflated),
       member("labels.npy", tests::npy_bytes<std::int32_t>("<i4", "(2,)", {1, 0}), deflated),
       member("responses.npy", tests::npy_bytes<double>("<f8", "(2, 1)", {0.5, -1}), deflated)});
}

data_readers::numpy_npz reader_in(tests::ScratchFolder const& folder) {
  data_readers::numpy_npz reader;
  reader.data_filedir = folder.path();
  reader.data_filename = "a.npz";
  reader.num_labels = 2;
  reader.scaling_factor_int16 = 0.5;
  return reader;
}

std::string problem(data_readers::numpy_npz const& reader) {
  auto const opened = load_samples(reader, {}, true);
  return opened ? "" : opened.problem().message;
}

}  // namespace

TEST_CASE("numpy_npz gives samples, labels and responses, packed or not") {
  tests::ScratchFolder folder;
  for (bool const deflated : {false, true}) {
    folder.write("a.npz", archive(deflated));
    auto const opened = load_samples(reader_in(folder), {}, true);
    if (!opened) FAIL(opened.problem().message);
    auto const& samples = *opened.value();
    CHECK(samples.count() == 2);
    REQUIRE(samples.fields().size() == 3);
    std::vector<float> x(2), y(2), z(1);
    CHECK(samples.read(1, 0, {x.data(), DataType::f32, 2}).good());
    CHECK(samples.read(0, 1, {y.data(), DataType::f32, 2}).good());
    CHECK(samples.read(1, 2, {z.data(), DataType::f32, 1}).good());
    CHECK(x == std::vector<float>{1.5f, 2});  // int16, scaled
    CHECK(y == std::vector<float>{0, 1});
    CHECK(z == std::vector<float>{-1});
  }
}

TEST_CASE("numpy_npz leaves out what is disabled or not there") {
  tests::ScratchFolder folder;
  folder.write("a.npz", archive(true));
  auto reader = reader_in(folder);
  reader.disable_labels = true;
  CHECK(load_samples(reader, {}, true).value()->fields().size() == 2);
  folder.write(
      "a.npz",
      tests::zip_bytes({member("data.npy", tests::npy_bytes<float>("<f4", "(1, 1)", {3}), false)}));
  CHECK(load_samples(reader, {}, true).value()->fields().size() == 1);
  folder.write("a.npz", tests::zip_bytes({}));
  CHECK(problem(reader).find("holds no array `data`") != std::string::npos);
}

TEST_CASE("numpy_npz survives every truncation and every changed byte") {
  tests::ScratchFolder folder;
  auto const reader = reader_in(folder);
  for (bool const deflated : {false, true}) {
    auto const good = archive(deflated);
    for (std::size_t size = 0; size < good.size(); size += 7) {
      folder.write("a.npz", {good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)});
      CHECK_FALSE(problem(reader).empty());
    }
    for (std::size_t at = 0; at < good.size(); at += 3) {
      auto bytes = good;
      bytes[at] ^= 0xff;
      folder.write("a.npz", bytes);
      auto const opened = load_samples(reader, {}, true);
      if (!opened) continue;
      std::vector<float> values(64);
      for (std::size_t field = 0; field < opened.value()->fields().size(); ++field) {
        auto const& dims = opened.value()->fields()[field].dims;
        auto const count = elements_of(dims);
        if (opened.value()->count() == 0 || count > 64) continue;
        (void)opened.value()->read(0, field, {values.data(), DataType::f32, count}).good();
      }
    }
  }
}

TEST_CASE("numpy_npz refuses every changed number, packed or not") {
  tests::ScratchFolder folder;
  auto const reader = reader_in(folder);
  for (bool const deflated : {false, true}) {
    auto const data =
        member("data.npy", tests::npy_bytes<double>("<f8", "(2, 1)", {0.5, -1}), deflated);
    auto const good = tests::zip_bytes({data});
    auto const begin = std::ranges::search(good, data.packed).begin() - good.begin();
    for (std::size_t at = 0; at < data.packed.size(); ++at) {
      auto bytes = good;
      bytes[static_cast<std::size_t>(begin) + at] ^= 1;
      folder.write("a.npz", bytes);
      CHECK(problem(reader).find("a.npz") != std::string::npos);
    }
    folder.write("a.npz", good);
    CHECK(problem(reader) == "");
  }
}

TEST_CASE("numpy_npz refuses a directory that differs from the headers of its files") {
  tests::ScratchFolder folder;
  auto const reader = reader_in(folder);
  auto const good = archive(false);
  // Method, checksum, both sizes and name in the header of `data.npy`, the first.
  for (std::size_t const at : {8u, 14u, 18u, 22u, 30u}) {
    CAPTURE(at);
    auto bytes = good;
    bytes[at] ^= 1;
    folder.write("a.npz", bytes);
    CHECK(problem(reader).find("`data.npy` differs from its own header") != std::string::npos);
  }
}

TEST_CASE("numpy_npz unpacks no more than the header of an array promises") {
  tests::ScratchFolder folder;
  auto bytes = tests::npy_bytes<float>("<f4", "(2, 1)", {3, 4});
  bytes.resize(std::size_t{8} << 20);
  auto bomb = member("data.npy", bytes, true);
  // Whoever unpacks it all finds it damaged.
  bomb.packed.back() ^= 0xff;
  bomb.packed[bomb.packed.size() / 2] ^= 0xff;
  folder.write("a.npz", tests::zip_bytes({bomb}));
  CHECK(problem(reader_in(folder)).find("its header promises 136 bytes, 8388608 are announced") !=
        std::string::npos);
}

TEST_CASE("numpy_npz gives fields of arrays by name") {
  tests::ScratchFolder folder;
  folder.write(
      "a.npz",
      tests::zip_bytes(
          {member("x_train.npy", tests::npy_bytes<std::int16_t>("<i2", "(2, 2)", {1, 2, 3, 4}),
                  true),
           member("y_train.npy", tests::npy_bytes<std::uint8_t>("|u1", "(2,)", {1, 0}), true),
           member("mass.npy", tests::npy_bytes<double>("<f8", "(2,)", {0.5, -1}), false)}));
  auto reader = reader_in(folder);
  reader.arrays = {"samples=x_train", "labels=y_train", "weight=mass"};
  auto const opened = load_samples(reader, {}, true);
  if (!opened) FAIL(opened.problem().message);
  auto const& samples = *opened.value();
  REQUIRE(samples.fields().size() == 3);
  CHECK(samples.fields()[2].name == "weight");
  CHECK(samples.fields()[2].dims == std::vector<std::int64_t>{1});
  std::vector<float> x(2), y(2), z(1);
  CHECK(samples.read(0, 0, {x.data(), DataType::f32, 2}).good());
  CHECK(samples.read(0, 1, {y.data(), DataType::f32, 2}).good());
  CHECK(samples.read(1, 2, {z.data(), DataType::f32, 1}).good());
  CHECK(x == std::vector<float>{0.5f, 1});
  CHECK(y == std::vector<float>{0, 1});
  CHECK(z == std::vector<float>{-1});
  reader.arrays.push_back("responses=z");
  CHECK(problem(reader).ends_with("it holds no array `z`; there are x_train, y_train, mass"));
  reader.arrays.push_back("responses=mass");
  CHECK(problem(reader) == "`responses` is one array, not several");
  reader.arrays.resize(3);
  reader.disable_labels = true;
  CHECK(problem(reader) == "`arrays` says which fields there are");
  reader = reader_in(folder);
  CHECK(
      problem(reader).ends_with("it holds no array `data`; there are x_train, y_train, mass, and "
                                "`arrays` can name another one for `samples`"));
}
