// Memory or pread, and zlib where something is packed.
#include "runtime/data/data_file.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>

#include "runtime/data/input_file.hpp"
#include "schemas/files/regular_file.hpp"

namespace lbann::runtime {

/// Where bytes come from: memory, or an open file.
struct DataFile::Source {
  std::vector<std::uint8_t> bytes;
  std::optional<RegularFile> file;
};

namespace {

Problem of(std::string const& path, Problem const& problem) {
  return {"`" + path + "`: " + problem.message};
}

/// Ends the decompression whatever happens.
struct Inflation {
  z_stream stream{};
  bool good = ::inflateInit2(&stream, -MAX_WBITS) == Z_OK;
  Inflation() = default;
  Inflation(Inflation const&) = delete;
  ~Inflation() { ::inflateEnd(&stream); }
};

}  // namespace

DataFile DataFile::of_bytes(std::string name, std::vector<std::uint8_t> bytes) {
  auto source = std::make_shared<Source>();
  auto const size = static_cast<std::int64_t>(bytes.size());
  source->bytes = std::move(bytes);
  return {std::move(name), std::move(source), 0, size};
}

bool DataFile::in_memory() const { return !source_->file; }

Result<DataFile> DataFile::open(std::string const& path, PromisedSize const& promised,
                                std::int64_t in_memory_size) {
  auto file = RegularFile::open(path);
  if (!file) return of(path, file.problem());
  std::array<std::uint8_t, 2> first{};
  auto const got = file.value().read(0, 2, first.data());
  if (!got) return of(path, got.problem());
  bool const packed = got.value() == 2 && first[0] == 0x1f && first[1] == 0x8b;
  if (auto const size = file.value().size(); !packed && size > in_memory_size) {
    auto source = std::make_shared<Source>();
    source->file = std::move(file).value();
    return DataFile(path, std::move(source), 0, size);
  }
  auto opened = InputFile::open(path);
  if (!opened) return opened.problem();
  auto most = std::numeric_limits<std::int64_t>::max();
  std::vector<std::uint8_t> bytes;
  if (packed && promised.size != nullptr) {
    if (auto read = opened.value().append_rest(bytes, promised.header); !read)
      return read.problem();
    auto const size = promised.size(bytes);
    if (!size) return opened.value().problem(size.problem().message);
    most = std::max<std::int64_t>(0, size.value() + 1 - static_cast<std::int64_t>(bytes.size()));
  }
  if (auto read = opened.value().append_rest(bytes, most); !read) return read.problem();
  return of_bytes(path, std::move(bytes));
}

Result<std::uint8_t const*> DataFile::read(std::int64_t begin, std::int64_t count,
                                           std::uint8_t* buffer) const {
  if (begin < 0 || count < 0 || begin > size_ || count > size_ - begin)
    return problem("it ends after " + std::to_string(size_) + " bytes, " + std::to_string(count) +
                   " were expected from byte " + std::to_string(begin) + " on");
  if (!source_->file) return source_->bytes.data() + begin_ + begin;
  auto const got = source_->file->read(begin_ + begin, count, buffer);
  if (!got) return of(name_, got.problem());
  if (got.value() < count)
    return problem("it ends at byte " + std::to_string(begin_ + begin + got.value()) +
                   ", earlier than when it was opened");
  return static_cast<std::uint8_t const*>(buffer);
}

Result<Success> DataFile::copy(std::int64_t begin, std::int64_t count, std::uint8_t* to) const {
  auto const bytes = read(begin, count, to);
  if (!bytes) return bytes.problem();
  if (bytes.value() != to && count > 0)
    std::memcpy(to, bytes.value(), static_cast<std::size_t>(count));
  return Success{};
}

Result<std::vector<std::uint8_t>> DataFile::bytes(std::int64_t begin, std::int64_t count) const {
  std::vector<std::uint8_t> result(
      static_cast<std::size_t>(std::clamp<std::int64_t>(count, 0, size_)));
  if (auto done = copy(begin, count, result.data()); !done) return done.problem();
  return result;
}

DataFile DataFile::part(std::string name, std::int64_t begin, std::int64_t count) const {
  return {std::move(name), source_, begin_ + begin, count};
}

Result<Success> DataFile::check(std::uint32_t check) const {
  constexpr std::int64_t piece = 1 << 20;
  std::vector<std::uint8_t> buffer(
      static_cast<std::size_t>(in_memory() ? 0 : std::min(piece, size_)));
  auto found = ::crc32_z(0, nullptr, 0);
  for (std::int64_t at = 0; at < size_; at += piece) {
    auto const count = std::min(piece, size_ - at);
    auto const bytes = read(at, count, buffer.data());
    if (!bytes) return bytes.problem();
    found = ::crc32_z(found, bytes.value(), static_cast<std::size_t>(count));
  }
  if (found == check) return Success{};
  return problem("damaged data: its checksum is another one; was it copied completely?");
}

Result<DataFile> DataFile::inflate(std::int64_t size, std::uint32_t check,
                                   PromisedSize const& promised) const {
  constexpr std::int64_t piece = 1 << 20;
  Inflation inflation;
  if (!inflation.good) return problem("no memory to unpack it");
  auto& stream = inflation.stream;
  std::vector<std::uint8_t> result, buffer(static_cast<std::size_t>(std::min(piece, size_)));
  int status = Z_OK;
  bool looked = promised.size == nullptr;
  // Memory grows only as bytes arrive, so that a directory cannot lie its way to all of it.
  for (std::int64_t at = 0; at < size_ && status == Z_OK;) {
    auto const count = std::min(piece, size_ - at);
    auto const packed = read(at, count, buffer.data());
    if (!packed) return packed.problem();
    at += count;
    stream.next_in = const_cast<std::uint8_t*>(packed.value());
    stream.avail_in = static_cast<unsigned>(count);
    do {
      auto const done = result.size();
      auto const room = std::min(piece, size - static_cast<std::int64_t>(done) + 1);
      result.resize(done + static_cast<std::size_t>(room));
      stream.next_out = result.data() + done;
      stream.avail_out = static_cast<unsigned>(room);
      status = ::inflate(&stream, Z_NO_FLUSH);
      result.resize(result.size() - stream.avail_out);
      if (static_cast<std::int64_t>(result.size()) > size)
        return problem("it unpacks to more than the " + std::to_string(size) + " bytes announced");
      bool const has_header =
          status != Z_OK || static_cast<std::int64_t>(result.size()) >= promised.header;
      if (looked || !has_header) continue;
      looked = true;
      auto const said = promised.size(result);
      if (!said) return problem(said.problem().message);
      if (said.value() != size)
        return problem("its header promises " + std::to_string(said.value()) + " bytes, " +
                       std::to_string(size) + " are announced in the archive");
    } while (status == Z_OK && (stream.avail_in > 0 || stream.avail_out == 0));
    if (status == Z_BUF_ERROR) status = Z_OK;  // more input is needed
  }
  if (status != Z_STREAM_END || static_cast<std::int64_t>(result.size()) != size)
    return problem("damaged packed data, after " + std::to_string(result.size()) + " of " +
                   std::to_string(size) + " bytes");
  auto const found = ::crc32_z(0, result.data(), result.size());
  if (found != check) return problem("damaged packed data: its checksum is another one");
  return of_bytes(name_, std::move(result));
}

}  // namespace lbann::runtime
