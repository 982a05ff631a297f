// Headers of IDX (http://yann.lecun.com/exdb/mnist), NumPy and zip.
#include "compiler/experiment/probe.hpp"

#include <zlib.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "schemas/data_formats/npy_header.hpp"
#include "schemas/data_formats/zip_directory.hpp"
#include "schemas/files/regular_file.hpp"
#include "schemas/vocabulary/shape.hpp"

namespace lbann::compiler {

namespace {

constexpr auto longest = static_cast<std::size_t>(longest_npy_header);

/// The first bytes of a file, unpacked if it is gzip.
Result<std::string> first_bytes(std::string const& path, std::size_t count) {
  auto opened = RegularFile::open(path);
  if (!opened) return Problem{"it " + opened.problem().message};
  std::unique_ptr<gzFile_s, int (*)(gzFile)> const file(gzdopen(opened.value().descriptor(), "rb"),
                                                        gzclose);
  if (!file) return Problem{"there is no memory to read it"};
  opened.value().release();  // zlib closes it
  std::string bytes(count, '\0');
  auto const got = gzread(file.get(), bytes.data(), static_cast<unsigned>(count));
  if (got < 0) return Problem{"it cannot be read"};
  bytes.resize(static_cast<std::size_t>(got));
  return bytes;
}

std::uint32_t big_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

/// A sample must have entries, and their number must fit.
Result<FileHeader> checked(FileHeader header) {
  for (auto size : header.dims)
    if (size < 1) return Problem{"an axis of its samples is empty"};
  if (!checked_product(header.dims)) return Problem{"its samples are too large to count"};
  return header;
}

/// What the first bytes of an array tell.
Result<FileHeader> npy_header(std::string_view text) {
  auto const parsed =
      parse_npy_header({reinterpret_cast<std::uint8_t const*>(text.data()), text.size()});
  if (!parsed) return parsed.problem();
  auto const& dims = parsed.value().dims;
  if (dims.empty()) return Problem{"it holds a single number, not samples"};
  FileHeader header{dims[0], {dims.begin() + 1, dims.end()}};
  if (header.dims.empty()) header.dims = {1};
  return checked(std::move(header));
}

/// The first bytes of what `packed` holds by deflate.
Result<std::string> inflate_first(std::vector<std::uint8_t> const& packed, std::size_t count) {
  std::string bytes(count, '\0');
  z_stream stream{};
  if (::inflateInit2(&stream, -MAX_WBITS) != Z_OK) return Problem{"no memory to unpack it"};
  stream.next_in = const_cast<std::uint8_t*>(packed.data());
  stream.avail_in = static_cast<unsigned>(packed.size());
  stream.next_out = reinterpret_cast<std::uint8_t*>(bytes.data());
  stream.avail_out = static_cast<unsigned>(count);
  auto const status = ::inflate(&stream, Z_SYNC_FLUSH);
  bytes.resize(count - stream.avail_out);
  ::inflateEnd(&stream);
  if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
    return Problem{"its packed data is damaged"};
  return bytes;
}

}  // namespace

Result<FileHeader> probe_idx(std::string const& path) {
  auto const bytes = first_bytes(path, 4 + 4 * 255);
  if (!bytes.good()) return bytes.problem();
  auto const& text = bytes.value();
  if (text.size() < 4 || text[0] != 0 || text[1] != 0 || text[2] != 8)
    return Problem{"it does not begin like an IDX file of bytes"};
  auto const axes = static_cast<unsigned char>(text[3]);
  if (axes == 0 || text.size() < 4 + 4 * std::size_t{axes})
    return Problem{"its header ends too early"};
  FileHeader header;
  header.samples = big_endian(text, 4);
  for (std::size_t i = 1; i < axes; ++i) header.dims.push_back(big_endian(text, 4 + 4 * i));
  if (header.dims.size() == 2) header.dims.insert(header.dims.begin(), 1);
  return checked(std::move(header));
}

Result<FileHeader> probe_npy(std::string const& path) {
  auto const bytes = first_bytes(path, longest);
  if (!bytes.good()) return bytes.problem();
  return npy_header(bytes.value());
}

Result<FileHeader> probe_npz(std::string const& path, std::string const& name) {
  auto const file = RegularFile::open(path);
  if (!file) return Problem{"it " + file.problem().message};
  auto const size = file.value().size();
  ReadBytes const read = [&](std::int64_t begin,
                             std::int64_t count) -> Result<std::vector<std::uint8_t>> {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count));
    auto const got = file.value().read(begin, count, bytes.data());
    if (!got || got.value() != count) return Problem{"it cannot be read"};
    return bytes;
  };
  auto const entries = read_zip_directory(size, read);
  if (!entries) return entries.problem();
  for (auto const& entry : entries.value()) {
    if (entry.name != name + ".npy") continue;
    auto const begin = find_zip_data(entry, size, read);
    if (!begin) return begin.problem();
    auto const count = std::min<std::int64_t>(entry.packed, static_cast<std::int64_t>(longest));
    auto const bytes = read(begin.value(), count);
    if (!bytes) return bytes.problem();
    auto const text =
        entry.deflated
            ? inflate_first(bytes.value(), longest)
            : Result<std::string>(std::string(bytes.value().begin(), bytes.value().end()));
    if (!text) return text.problem();
    return npy_header(text.value());
  }
  return Problem{"it holds no array `" + name + "`"};
}

}  // namespace lbann::compiler
