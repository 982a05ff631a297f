// From the record at the end of the archive to its directory; every number is checked before use.
#include "schemas/data_formats/zip_directory.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

namespace lbann {

namespace {

using Bytes = std::span<std::uint8_t const>;

std::uint64_t little_endian(Bytes bytes, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (auto i = count; i-- > 0;) value = value << 8 | bytes[at + i];
  return value;
}

constexpr std::uint64_t end_mark = 0x06054b50, end64_mark = 0x06064b50, locator_mark = 0x07064b50,
                        entry_mark = 0x02014b50, local_mark = 0x04034b50;
constexpr std::int64_t end_size = 22, locator_size = 20, end64_size = 56, entry_size = 46,
                       local_size = 30, longest_comment = 65535;

Problem damaged_zip(std::string const& what) {
  return {"its zip directory is damaged (" + what + "); is the file complete?"};
}

struct ZipExtent {
  std::int64_t begin = 0, bytes = 0;
};

/// A number of the file as one that can be computed with.
std::optional<std::int64_t> signed_of(std::uint64_t number) {
  if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max() / 4))
    return std::nullopt;
  return static_cast<std::int64_t>(number);
}

bool lies_within(std::int64_t begin, std::int64_t bytes, std::int64_t size) {
  return begin >= 0 && bytes >= 0 && begin <= size && bytes <= size - begin;
}

/// Where the directory lies.
Result<ZipExtent> find_directory(std::int64_t size, ReadBytes const& read) {
  auto const tail_begin = std::max<std::int64_t>(0, size - end_size - longest_comment);
  auto const tail = read(tail_begin, size - tail_begin);
  if (!tail) return tail.problem();
  Bytes const bytes = tail.value();
  auto at = static_cast<std::int64_t>(bytes.size()) - end_size;
  while (at >= 0 && little_endian(bytes, static_cast<std::size_t>(at), 4) != end_mark) --at;
  if (at < 0) return Problem{"it does not end like a zip archive; is the file complete?"};
  auto const end = static_cast<std::size_t>(at);
  std::uint64_t extent = little_endian(bytes, end + 12, 4),
                begin = little_endian(bytes, end + 16, 4);
  if (begin == 0xffffffff || extent == 0xffffffff) {
    auto const locator_at = tail_begin + at - locator_size;
    if (locator_at < 0) return damaged_zip("no zip64 locator");
    auto const locator = read(locator_at, locator_size);
    if (!locator) return locator.problem();
    auto const where = signed_of(little_endian(locator.value(), 8, 8));
    if (little_endian(locator.value(), 0, 4) != locator_mark || !where ||
        !lies_within(*where, end64_size, size))
      return damaged_zip("no zip64 locator");
    auto const end64 = read(*where, end64_size);
    if (!end64) return end64.problem();
    if (little_endian(end64.value(), 0, 4) != end64_mark) return damaged_zip("no zip64 record");
    extent = little_endian(end64.value(), 40, 8);
    begin = little_endian(end64.value(), 48, 8);
  }
  auto const from = signed_of(begin), count = signed_of(extent);
  if (!from || !count || !lies_within(*from, *count, size)) return damaged_zip("its place");
  return ZipExtent{*from, *count};
}

/// Replaces sizes and place that did not fit 32 bits by those of the entry's zip64 field.
bool take_zip64(Bytes extra, std::uint64_t& size, std::uint64_t& packed, std::uint64_t& header) {
  while (extra.size() >= 4) {
    auto const id = little_endian(extra, 0, 2);
    auto const length = static_cast<std::size_t>(little_endian(extra, 2, 2));
    extra = extra.subspan(4);
    if (length > extra.size()) return false;
    if (id == 1) {
      std::size_t at = 0;
      for (auto* number : {&size, &packed, &header}) {
        if (*number != 0xffffffff) continue;
        if (at + 8 > length) return false;
        *number = little_endian(extra, at, 8);
        at += 8;
      }
      return true;
    }
    extra = extra.subspan(length);
  }
  return true;
}

}  // namespace

Result<std::vector<ZipEntry>> read_zip_directory(std::int64_t size, ReadBytes const& read) {
  auto const extent = find_directory(size, read);
  if (!extent) return extent.problem();
  auto const directory = read(extent.value().begin, extent.value().bytes);
  if (!directory) return directory.problem();
  std::vector<ZipEntry> entries;
  Bytes bytes = directory.value();
  while (bytes.size() >= static_cast<std::size_t>(entry_size)) {
    if (little_endian(bytes, 0, 4) != entry_mark) return damaged_zip("an entry");
    auto const name = static_cast<std::size_t>(little_endian(bytes, 28, 2)),
               extra = static_cast<std::size_t>(little_endian(bytes, 30, 2)),
               comment = static_cast<std::size_t>(little_endian(bytes, 32, 2)),
               whole = static_cast<std::size_t>(entry_size) + name + extra + comment;
    if (bytes.size() < whole) return damaged_zip("an entry");
    ZipEntry entry;
    auto const* const text = reinterpret_cast<char const*>(bytes.data()) + entry_size;
    entry.name.assign(text, name);
    auto unpacked = little_endian(bytes, 24, 4), packed = little_endian(bytes, 20, 4),
         header = little_endian(bytes, 42, 4);
    if (!take_zip64(bytes.subspan(static_cast<std::size_t>(entry_size) + name, extra), unpacked,
                    packed, header))
      return damaged_zip("zip64 of `" + entry.name + "`");
    auto const method = little_endian(bytes, 10, 2);
    if ((little_endian(bytes, 8, 2) & 1) != 0)
      return Problem{"`" + entry.name + "` in it is encrypted"};
    if (method != 0 && method != 8)
      return Problem{"`" + entry.name + "` in it is packed by method " + std::to_string(method) +
                     "; stored and deflated files are read"};
    entry.deflated = method == 8;
    entry.check = static_cast<std::uint32_t>(little_endian(bytes, 16, 4));
    auto const sizes = {signed_of(unpacked), signed_of(packed), signed_of(header)};
    if (std::ranges::any_of(sizes, [](auto const& number) { return !number; }))
      return damaged_zip("sizes of `" + entry.name + "`");
    entry.size = static_cast<std::int64_t>(unpacked);
    entry.packed = static_cast<std::int64_t>(packed);
    entry.header = static_cast<std::int64_t>(header);
    if (!entry.deflated && entry.size != entry.packed)
      return damaged_zip("sizes of `" + entry.name + "`");
    entries.push_back(std::move(entry));
    bytes = bytes.subspan(whole);
  }
  return entries;
}

Result<std::int64_t> find_zip_data(ZipEntry const& entry, std::int64_t size,
                                   ReadBytes const& read) {
  if (!lies_within(entry.header, local_size, size))
    return damaged_zip("place of `" + entry.name + "`");
  auto const local = read(entry.header, local_size);
  if (!local) return local.problem();
  if (little_endian(local.value(), 0, 4) != local_mark)
    return damaged_zip("header of `" + entry.name + "`");
  auto const name_size = static_cast<std::int64_t>(little_endian(local.value(), 26, 2));
  auto const begin = entry.header + local_size + name_size +
                     static_cast<std::int64_t>(little_endian(local.value(), 28, 2));
  if (!lies_within(begin, entry.packed, size)) return damaged_zip("end of `" + entry.name + "`");
  auto const name = read(entry.header + local_size, name_size);
  if (!name) return name.problem();
  bool const same_name = std::ranges::equal(name.value(), entry.name, {}, {},
                                            [](char c) { return static_cast<std::uint8_t>(c); });
  // What was written before its sizes were known has them behind it; zip64 has them elsewhere.
  bool const sizes_here = (little_endian(local.value(), 6, 2) & 8) == 0;
  auto const agrees = [&](std::size_t at, std::int64_t number) {
    auto const here = little_endian(local.value(), at, 4);
    return here == 0xffffffff || here == static_cast<std::uint64_t>(number);
  };
  if (!same_name || little_endian(local.value(), 8, 2) != (entry.deflated ? 8U : 0U) ||
      (sizes_here && (little_endian(local.value(), 14, 4) != entry.check ||
                      !agrees(18, entry.packed) || !agrees(22, entry.size))))
    return damaged_zip("`" + entry.name + "` differs from its own header");
  return begin;
}

}  // namespace lbann
