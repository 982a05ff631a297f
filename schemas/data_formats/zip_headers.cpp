// Local headers, directory and end of an archive, zip64 throughout.
// PKWARE, ".ZIP File Format Specification", version 6.3.10.
#include "schemas/data_formats/zip_headers.hpp"

#include <cstddef>

namespace lbann {

namespace {

constexpr std::uint64_t zip64_version = 45, utf8_names = 0x800, first_of_1980 = 0x21;
/// Stands for a number of 32 bits that is in the zip64 field.
constexpr std::uint64_t elsewhere = 0xffffffff;

void put(std::string& to, std::uint64_t number, int bytes) {
  for (int i = 0; i < bytes; ++i, number >>= 8) to += static_cast<char>(number & 0xff);
}

std::uint64_t unsigned_of(std::int64_t number) { return static_cast<std::uint64_t>(number); }

/// From the version to the length of the name, as both headers have it.
void put_entry(std::string& to, ZipEntry const& entry) {
  put(to, zip64_version, 2);
  put(to, utf8_names, 2);
  put(to, 0, 2);  // stored
  put(to, 0, 2);
  put(to, first_of_1980, 2);
  put(to, entry.check, 4);
  put(to, elsewhere, 4);
  put(to, elsewhere, 4);
  put(to, entry.name.size(), 2);
}

void put_zip64(std::string& to, std::initializer_list<std::int64_t> numbers) {
  put(to, 1, 2);
  put(to, 8 * numbers.size(), 2);
  for (auto const number : numbers) put(to, unsigned_of(number), 8);
}

}  // namespace

std::string zip_local_header(ZipEntry const& entry) {
  std::string bytes;
  put(bytes, 0x04034b50, 4);
  put_entry(bytes, entry);
  put(bytes, 20, 2);
  bytes += entry.name;
  put_zip64(bytes, {entry.size, entry.size});
  return bytes;
}

std::string zip_directory(std::span<ZipEntry const> entries, std::int64_t begin) {
  std::string bytes;
  for (auto const& entry : entries) {
    put(bytes, 0x02014b50, 4);
    put(bytes, zip64_version, 2);
    put_entry(bytes, entry);
    put(bytes, 28, 2);
    put(bytes, 0, 2 + 2 + 2);  // no comment, disk 0, no attributes
    put(bytes, 0, 4);
    put(bytes, elsewhere, 4);
    bytes += entry.name;
    put_zip64(bytes, {entry.size, entry.size, entry.header});
  }
  auto const size = bytes.size(), end = unsigned_of(begin) + size;
  put(bytes, 0x06064b50, 4);
  put(bytes, 44, 8);  // bytes of this record that follow
  put(bytes, zip64_version, 2);
  put(bytes, zip64_version, 2);
  put(bytes, 0, 8);  // this disk, that of the directory
  put(bytes, entries.size(), 8);
  put(bytes, entries.size(), 8);
  put(bytes, size, 8);
  put(bytes, unsigned_of(begin), 8);
  put(bytes, 0x07064b50, 4);
  put(bytes, 0, 4);
  put(bytes, end, 8);
  put(bytes, 1, 4);
  put(bytes, 0x06054b50, 4);
  put(bytes, 0, 4);
  put(bytes, 0xffff, 2);
  put(bytes, 0xffff, 2);
  put(bytes, elsewhere, 4);
  put(bytes, elsewhere, 4);
  put(bytes, 0, 2);
  return bytes;
}

}  // namespace lbann
