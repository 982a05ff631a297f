// Files read at any place, from memory or by need, packed or not.
#include "runtime/data/data_file.hpp"

#include <doctest/doctest.h>
#include <zlib.h>

#include <filesystem>
#include <numeric>

#include "tests/runtime/data/scratch_folder.hpp"

using namespace lbann;
using namespace lbann::runtime;

namespace {

std::vector<std::uint8_t> counting(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  return bytes;
}

}  // namespace

TEST_CASE("DataFile gives the same bytes from memory, from the file and from gzip") {
  tests::ScratchFolder folder;
  folder.write("a", counting(250));
  auto const packed = folder.path() + "/b.gz";
  auto const bytes = counting(250);
  auto* const gz = gzopen(packed.c_str(), "wb");
  gzwrite(gz, bytes.data(), 250);
  gzclose(gz);
  for (auto const& [path, limit] : {std::pair(folder.path() + "/a", 1000),
                                    std::pair(folder.path() + "/a", 10), std::pair(packed, 10)}) {
    auto const file = DataFile::open(path, {}, limit);
    if (!file) FAIL(file.problem().message);
    CHECK(file.value().size() == 250);
    std::vector<std::uint8_t> buffer(250);
    auto const read = file.value().read(100, 3, buffer.data());
    REQUIRE(read.good());
    CHECK(read.value()[2] == 102);
    CHECK(file.value().copy(247, 3, buffer.data()).good());
    CHECK(buffer[0] == 247);
    CHECK_FALSE(file.value().read(248, 3, buffer.data()).good());
    CHECK_FALSE(file.value().read(-1, 1, buffer.data()).good());
    CHECK_FALSE(file.value().bytes(0, std::int64_t{1} << 60).good());
    auto const sum = static_cast<std::uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
    CHECK(file.value().check(sum).good());
    CHECK_FALSE(file.value().check(sum + 1).good());
    CHECK(file.value().in_memory() == (path == packed || limit > 250));
    auto const part = file.value().part("part", 100, 10);
    CHECK(part.bytes(1, 2).value() == std::vector<std::uint8_t>{101, 102});
    CHECK_FALSE(part.bytes(9, 2).good());
  }
}

TEST_CASE("DataFile tells of files that cannot be read") {
  tests::ScratchFolder folder;
  CHECK_FALSE(DataFile::open(folder.path() + "/none").good());
  CHECK_FALSE(DataFile::open(folder.path()).good());
  folder.write("a", counting(100));
  auto const file = DataFile::open(folder.path() + "/a", {}, 10);
  REQUIRE(file.good());
  std::filesystem::resize_file(folder.path() + "/a", 50);
  auto const gone = file.value().bytes(40, 20);
  REQUIRE_FALSE(gone.good());
  CHECK(gone.problem().message.find("it ends at byte 50") != std::string::npos);
  folder.write("c", std::vector<std::uint8_t>{0x1f, 0x8b, 8, 0, 1, 2, 3});
  CHECK_FALSE(DataFile::open(folder.path() + "/c").good());
}

TEST_CASE("DataFile unpacks one byte more than is promised") {
  tests::ScratchFolder folder;
  auto const packed = folder.path() + "/a.gz";
  std::vector<std::uint8_t> const zeros(std::size_t{8} << 20);
  auto* const gz = gzopen(packed.c_str(), "wb");
  gzwrite(gz, zeros.data(), static_cast<unsigned>(zeros.size()));
  gzclose(gz);
  PromisedSize const promised{4, [](std::span<std::uint8_t const> first) -> Result<std::int64_t> {
                                if (first.size() != 4) return Problem{"no header"};
                                return std::int64_t{100};
                              }};
  CHECK(DataFile::open(packed, promised).value().size() == 101);
  CHECK(DataFile::open(packed).value().size() == 8 << 20);
  folder.write("b", std::vector<std::uint8_t>(7));
  CHECK(DataFile::open(folder.path() + "/b", promised).value().size() == 7);
}
