// Composed archives are read as they were meant, of any size.
#include "schemas/data_formats/zip_headers.hpp"

#include <doctest/doctest.h>

using namespace lbann;

TEST_CASE("files of an archive beyond 4 GiB are found again") {
  constexpr std::int64_t large = std::int64_t{6} << 30;
  std::vector<ZipEntry> entries = {{"a.npy", false, 0x01020304, 0, large, large},
                                   {"größe/b.npy", false, 0xfffefdfc, 0, 3, 3}};
  std::vector<std::string> heads;
  std::int64_t at = 0;
  for (auto& entry : entries) {
    entry.header = at;
    heads.push_back(zip_local_header(entry));
    at += static_cast<std::int64_t>(heads.back().size()) + entry.size;
  }
  auto const tail = zip_directory(entries, at);
  auto const size = at + static_cast<std::int64_t>(tail.size());
  // Bytes of the files themselves are zero and nowhere stored.
  ReadBytes const read = [&](std::int64_t begin,
                             std::int64_t count) -> Result<std::vector<std::uint8_t>> {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count));
    auto const lay = [&](std::string const& text, std::int64_t place) {
      for (std::size_t i = 0; i < text.size(); ++i)
        if (auto const to = place + static_cast<std::int64_t>(i) - begin; to >= 0 && to < count)
          bytes[static_cast<std::size_t>(to)] = static_cast<std::uint8_t>(text[i]);
    };
    for (std::size_t i = 0; i < entries.size(); ++i) lay(heads[i], entries[i].header);
    lay(tail, at);
    return bytes;
  };
  auto const found = read_zip_directory(size, read);
  REQUIRE(found.good());
  REQUIRE(found.value().size() == entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    auto const& entry = found.value()[i];
    CHECK(entry.name == entries[i].name);
    CHECK(entry.check == entries[i].check);
    CHECK(entry.size == entries[i].size);
    CHECK_FALSE(entry.deflated);
    auto const data = find_zip_data(entry, size, read);
    REQUIRE(data.good());
    CHECK(data.value() == entries[i].header + static_cast<std::int64_t>(heads[i].size()));
  }
}

TEST_CASE("an archive of no files is one") {
  auto const tail = zip_directory({}, 0);
  ReadBytes const read = [&](std::int64_t begin,
                             std::int64_t count) -> Result<std::vector<std::uint8_t>> {
    auto const first = tail.begin() + begin;
    return std::vector<std::uint8_t>(first, first + count);
  };
  auto const found = read_zip_directory(static_cast<std::int64_t>(tail.size()), read);
  REQUIRE(found.good());
  CHECK(found.value().empty());
}
