// Arrays are written as NumPy writes them.
#include "runtime/checkpoints/npy.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include "schemas/samples/npy_file.hpp"
#include "tests/runtime/regression.hpp"

using namespace lbann;
using namespace lbann::runtime;

namespace {

std::string content(std::filesystem::path const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(std::filesystem::path const& path, std::string const& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace

TEST_CASE("arrays of every rank come back") {
  test::ScratchFolder const folder;
  std::vector<std::vector<std::int64_t>> const shapes = {{}, {5}, {2, 3}, {4, 1, 2}, {0, 7}};
  for (std::size_t n = 0; n < shapes.size(); ++n) {
    auto const path = folder.path() / (std::to_string(n) + ".npy");
    std::size_t count = 1;
    for (auto size : shapes[n]) count *= static_cast<std::size_t>(size);
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = 0.1 * static_cast<double>(i + n);
    REQUIRE(write_npy(path, DataType::f64, shapes[n], std::as_bytes(std::span(values))).good());
    auto const read = open_npy_file(path.string());
    REQUIRE(read.good());
    CHECK(read.value().number == NpyNumber::f8);
    CHECK(read.value().dims == shapes[n]);
    CHECK(read.value().begin % 64 == 0);
    std::vector<double> back(count);
    REQUIRE(
        read.value()
            .each(0, read.value().numbers,
                  [&](std::int64_t i, double value) { back[static_cast<std::size_t>(i)] = value; })
            .good());
    CHECK(back == values);
  }
}

TEST_CASE("the bytes are NumPy's own") {
  test::ScratchFolder const folder;
  auto const path = folder.path() / "x.npy";
  std::array<float, 2> const values = {1, 2};
  std::array<std::int64_t, 1> const dims = {2};
  REQUIRE(write_npy(path, DataType::f32, dims, std::as_bytes(std::span(values))).good());
  auto const bytes = content(path);
  CHECK(bytes.size() == 128 + 8);
  // As numpy.save writes it.
  CHECK(bytes.substr(0, 10) == std::string("\x93NUMPY\x01\x00v\x00", 10));
  CHECK(bytes.substr(10, 58) == "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), } ");
  CHECK(bytes[127] == '\n');
}

TEST_CASE("an existing file is not overwritten, bfloat16 has no name in NumPy") {
  test::ScratchFolder const folder;
  auto const path = folder.path() / "x.npy";
  write(path, "mine");
  CHECK_FALSE(write_npy(path, DataType::f32, {}, {}).good());
  CHECK(content(path) == "mine");
  CHECK_FALSE(write_npy(folder.path() / "y.npy", DataType::bf16, {}, {}).good());
}
