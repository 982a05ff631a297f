// NumPy's files both ways, and those that are none.
#include "runtime/checkpoints/npy.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

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
    auto const head = read_npy_head(path);
    REQUIRE(head.good());
    CHECK(head.value().number == NpyNumber::f8);
    CHECK(head.value().dims == shapes[n]);
    CHECK(head.value().begin % 64 == 0);
    std::vector<double> back(count);
    REQUIRE(read_npy_data(path, head.value(), std::as_writable_bytes(std::span(back))).good());
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

TEST_CASE("what is no .npy file, or one cut short, is a problem that names it") {
  test::ScratchFolder const folder;
  auto const path = folder.path() / "x.npy";
  CHECK_FALSE(read_npy_head(path).good());
  std::string const head = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n";
  std::string const good =
      std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(head.size()) + '\0' + head;
  write(path, good + std::string(8, '\0'));
  REQUIRE(read_npy_head(path).good());
  for (auto const& change : std::vector<std::pair<std::string, std::string>>{{"NUMPY", "LUMPY"},
                                                                             {"<f4", ">f4"},
                                                                             {"(2,)", "(2,-"},
                                                                             {"shape", "shale"},
                                                                             {"\x01", "\x09"},
                                                                             {"(2,)", "[2,]"}}) {
    auto const &from = change.first, &to = change.second;
    auto bad = good;
    bad.replace(bad.find(from), from.size(), to);
    write(path, bad);
    CAPTURE(to);
    auto const result = read_npy_head(path);
    REQUIRE_FALSE(result.good());
    CHECK(result.problem().message.starts_with(path.string()));
  }
  write(path, good + "1234");
  auto const cut = read_npy_head(path);
  REQUIRE(cut.good());
  std::array<float, 2> values{};
  CHECK_FALSE(read_npy_data(path, cut.value(), std::as_writable_bytes(std::span(values))).good());
  write(path, good.substr(0, 30));
  CHECK_FALSE(read_npy_head(path).good());
}
