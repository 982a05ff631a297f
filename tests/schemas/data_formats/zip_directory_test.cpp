// Directories of zip archives; no truncation or changed byte leads out of the archive.
#include "schemas/data_formats/zip_directory.hpp"

#include <doctest/doctest.h>

#include "tests/support/zip_bytes.hpp"

using namespace lbann;

namespace {

/// Reads from memory, and fails the test where that is not within.
ReadBytes reader_of(std::vector<std::uint8_t> const& bytes) {
  return [&bytes](std::int64_t begin, std::int64_t count) -> Result<std::vector<std::uint8_t>> {
    REQUIRE(begin >= 0);
    REQUIRE(count >= 0);
    REQUIRE(begin + count <= static_cast<std::int64_t>(bytes.size()));
    auto const from = bytes.begin() + begin;
    return std::vector<std::uint8_t>(from, from + count);
  };
}

std::vector<std::uint8_t> archive(bool zip64) {
  return tests::zip_bytes({{"a", {1, 2, 3}, 3, 7, 0, zip64}, {"bc", {4, 5}, 9, 8, 8, zip64}});
}

}  // namespace

TEST_CASE("read_zip_directory finds the files, zip64 or not") {
  for (bool const zip64 : {false, true}) {
    auto const bytes = archive(zip64);
    auto const size = static_cast<std::int64_t>(bytes.size());
    auto const entries = read_zip_directory(size, reader_of(bytes));
    if (!entries) FAIL(entries.problem().message);
    REQUIRE(entries.value().size() == 2);
    auto const& [first, second] = std::pair(entries.value()[0], entries.value()[1]);
    CHECK(first.name == "a");
    CHECK_FALSE(first.deflated);
    CHECK(first.size == 3);
    CHECK(second.deflated);
    CHECK(second.size == 9);
    CHECK(second.packed == 2);
    CHECK(second.check == 8);
    auto const begin = find_zip_data(second, size, reader_of(bytes));
    REQUIRE(begin.good());
    CHECK(bytes[static_cast<std::size_t>(begin.value())] == 4);
  }
}

TEST_CASE("read_zip_directory survives every truncation and every changed byte") {
  for (bool const zip64 : {false, true}) {
    auto const good = archive(zip64);
    for (std::size_t size = 0; size < good.size(); ++size) {
      std::vector<std::uint8_t> const bytes(good.begin(),
                                            good.begin() + static_cast<std::ptrdiff_t>(size));
      CHECK_FALSE(read_zip_directory(static_cast<std::int64_t>(size), reader_of(bytes)).good());
    }
    for (std::size_t at = 0; at < good.size(); ++at)
      for (int value : {0, 1, 127, 128, 255}) {
        auto bytes = good;
        bytes[at] = static_cast<std::uint8_t>(value);
        auto const size = static_cast<std::int64_t>(bytes.size());
        auto const entries = read_zip_directory(size, reader_of(bytes));
        if (!entries) continue;
        for (auto const& entry : entries.value()) {
          auto const begin = find_zip_data(entry, size, reader_of(bytes));
          if (begin) CHECK(begin.value() + entry.packed <= size);
        }
      }
  }
}
