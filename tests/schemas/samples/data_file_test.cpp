// Files read at any place, from memory or by need, packed or not.
#include "schemas/samples/data_file.hpp"

#include <doctest/doctest.h>
#include <zlib.h>

#include <filesystem>
#include <numeric>

#include "tests/schemas/samples/scratch_folder.hpp"

using namespace lbann;

namespace {

std::vector<std::uint8_t> counting(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  return bytes;
}

void write_gz(std::string const& path, std::vector<std::uint8_t> const& bytes,
              char const* mode = "wb") {
  auto* const gz = gzopen(path.c_str(), mode);
  gzwrite(gz, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(gz);
}

}  // namespace

TEST_CASE("DataFile gives the same bytes from memory, from the file and from gzip") {
  tests::ScratchFolder folder;
  auto const bytes = counting(250);
  folder.write("a", bytes);
  auto const packed = folder.path() + "/b.gz";
  write_gz(packed, bytes);
  for (auto const& [path, limit] : {std::pair(folder.path() + "/a", 1000),
                                    std::pair(folder.path() + "/a", 10), std::pair(packed, 10)}) {
    auto opened = DataFile::open(path);
    if (!opened) FAIL(opened.problem().message);
    auto& file = opened.value();
    CHECK(file.first(3).value() == std::vector<std::uint8_t>{0, 1, 2});
    CHECK(file.first(1000).value() == bytes);
    CHECK(file.unpacked_size().value() == 250);
    REQUIRE(file.load(250, limit).good());
    CHECK(file.size() == 250);
    CHECK(file.unpacked_size().value() == 250);
    std::vector<std::uint8_t> buffer(250);
    auto const read = file.read(100, 3, buffer.data());
    REQUIRE(read.good());
    CHECK(read.value()[2] == 102);
    CHECK(file.copy(247, 3, buffer.data()).good());
    CHECK(buffer[0] == 247);
    CHECK_FALSE(file.read(248, 3, buffer.data()).good());
    CHECK_FALSE(file.read(-1, 1, buffer.data()).good());
    CHECK_FALSE(file.bytes(0, std::int64_t{1} << 60).good());
    auto const sum = static_cast<std::uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
    CHECK(file.check(sum).good());
    CHECK_FALSE(file.check(sum + 1).good());
    CHECK(file.in_memory() == (path == packed || limit > 250));
  }
  auto const part = DataFile::open(folder.path() + "/a").value().part("p", Packing::none, 100, 10);
  CHECK(part.bytes(1, 2).value() == std::vector<std::uint8_t>{101, 102});
  CHECK_FALSE(part.bytes(9, 2).good());
}

TEST_CASE("DataFile reads gzip files one behind the other, and ignores what is none") {
  tests::ScratchFolder folder;
  auto const path = folder.path() + "/a.gz";
  write_gz(path, counting(10));
  write_gz(path, counting(5), "ab");
  CHECK(DataFile::open(path).value().unpacked_size().value() == 15);
  std::ofstream(path, std::ios::binary | std::ios::app) << std::string(9, '\0');
  CHECK(DataFile::open(path).value().unpacked_size().value() == 15);
}

TEST_CASE("DataFile gives a large file piece by piece, as far as it is wanted") {
  tests::ScratchFolder folder;
  std::vector<std::uint8_t> const zeros(std::size_t{3} << 20);
  folder.write("a", zeros);
  write_gz(folder.path() + "/b.gz", zeros);
  for (auto const* name : {"/a", "/b.gz"}) {
    auto const file = DataFile::open(folder.path() + name).value();
    std::size_t bytes = 0;
    auto const count = [&](std::string_view piece) {
      bytes += piece.size();
      return bytes < zeros.size() / 2;
    };
    CHECK(file.each_piece(count).good());
    CHECK(bytes >= zeros.size() / 2);
    CHECK(bytes < zeros.size());
  }
}

TEST_CASE("DataFile tells of files that cannot be read") {
  tests::ScratchFolder folder;
  CHECK_FALSE(DataFile::open(folder.path() + "/none").good());
  CHECK_FALSE(DataFile::open(folder.path()).good());
  folder.write("a", counting(100));
  auto file = DataFile::open(folder.path() + "/a");
  REQUIRE(file.good());
  REQUIRE(file.value().load(100, 10).good());
  std::filesystem::resize_file(folder.path() + "/a", 50);
  auto const gone = file.value().bytes(40, 20);
  REQUIRE_FALSE(gone.good());
  CHECK(gone.problem().message.find("it ends at byte 50") != std::string::npos);
  folder.write("c", std::vector<std::uint8_t>{0x1f, 0x8b, 8, 0, 1, 2, 3});
  CHECK_FALSE(DataFile::open(folder.path() + "/c").value().first(1).good());
  CHECK_FALSE(DataFile::open(folder.path() + "/c").value().load(7).good());
}

TEST_CASE("DataFile loads no more and no less than it is told") {
  tests::ScratchFolder folder;
  auto const packed = folder.path() + "/a.gz";
  std::vector<std::uint8_t> const zeros(std::size_t{8} << 20);
  write_gz(packed, zeros);
  auto const load = [](std::string const& path, std::int64_t size) {
    auto const loaded = DataFile::open(path).value().load(size);
    return loaded ? std::string() : loaded.problem().message;
  };
  CHECK(load(packed, 8 << 20) == "");
  CHECK(load(packed, 9 << 20) ==
        "`" + packed + "`: it ends after 8388608 of 9437184 bytes; was it copied completely?");
  CHECK(load(packed, std::int64_t{1} << 60).find("bytes of memory") != std::string::npos);
  // Damaged behind what is promised: nobody unpacks so far.
  std::filesystem::resize_file(packed, 4000);
  CHECK(load(packed, 100) == "`" + packed + "`: it is longer than its header says");
  CHECK(load(packed, 8 << 20).find("unexpected end of file") != std::string::npos);
  folder.write("b", std::vector<std::uint8_t>(7));
  CHECK(load(folder.path() + "/b", 7) == "");
  CHECK(load(folder.path() + "/b", 6).find("longer") != std::string::npos);
  CHECK(load(folder.path() + "/b", 8).find("it ends after 7 of 8 bytes") != std::string::npos);
}
