// Memory or pread.
#include "schemas/samples/data_file.hpp"

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "schemas/samples/read_totals.hpp"

namespace lbann {

namespace {

/// Up to `most` bytes of a stream. Memory grows only as bytes arrive, so that a header cannot lie
/// its way to all of it.
Result<std::vector<std::uint8_t>> read_up_to(ByteStream& stream, std::int64_t most) {
  constexpr std::int64_t piece = 1 << 22, reserved = 1 << 28;
  std::vector<std::uint8_t> bytes;
  bytes.reserve(static_cast<std::size_t>(std::min(most, reserved)));
  for (std::int64_t held = 0; held < most;) {
    auto const wanted = std::min(piece, most - held);
    bytes.resize(static_cast<std::size_t>(held + wanted));
    auto const got = stream.read(bytes.data() + held, wanted);
    if (!got) return got.problem();
    held += got.value();
    bytes.resize(static_cast<std::size_t>(held));
    if (got.value() == 0) break;
  }
  return bytes;
}

}  // namespace

Result<Success> check_memory(std::int64_t bytes) {
  auto const memory = std::int64_t{::sysconf(_SC_PHYS_PAGES)} * ::sysconf(_SC_PAGESIZE);
  if (bytes <= memory) return Success{};
  return Problem{"it needs " + std::to_string(bytes) + " bytes of memory, this machine has " +
                 std::to_string(memory)};
}

ReadTotals& read_totals() {
  static ReadTotals totals;
  return totals;
}

Result<DataFile> DataFile::open(std::string const& path) {
  auto opened = RegularFile::open(path, &read_totals().bytes);
  if (!opened) return Problem{"`" + path + "`: it " + opened.problem().message};
  read_totals().files.fetch_add(1, std::memory_order_relaxed);
  auto const file = std::make_shared<RegularFile const>(std::move(opened).value());
  DataFile result(path, file, Packing::none, 0, file->size());
  std::array<std::uint8_t, 2> first{};
  auto const got = file->read(0, 2, first.data());
  if (!got) return result.problem(got.problem().message);
  if (got.value() == 2 && first[0] == 0x1f && first[1] == 0x8b) result.packing_ = Packing::gzip;
  return result;
}

Result<std::vector<std::uint8_t>> DataFile::first(std::int64_t count) const {
  ByteStream stream(*file_, packing_, begin_, size_);
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count));
  // A single call: what is damaged further behind is found when the rest is read.
  auto const got = stream.read(bytes.data(), count);
  if (!got) return problem(got.problem().message);
  bytes.resize(static_cast<std::size_t>(got.value()));
  return bytes;
}

Result<Success> DataFile::each_piece(
    std::function<bool(std::string_view piece)> const& visit) const {
  ByteStream stream(*file_, packing_, begin_, size_);
  std::vector<std::uint8_t> piece(std::size_t{1} << 20);
  while (true) {
    auto const got = stream.read(piece.data(), static_cast<std::int64_t>(piece.size()));
    if (!got) return problem(got.problem().message);
    if (got.value() == 0) return Success{};
    if (!visit(
            {reinterpret_cast<char const*>(piece.data()), static_cast<std::size_t>(got.value())}))
      return Success{};
  }
}

Result<std::string> DataFile::text() const {
  std::string text;
  auto const read = each_piece([&](std::string_view piece) {
    text += piece;
    return true;
  });
  if (!read) return read.problem();
  return text;
}

Result<std::int64_t> DataFile::unpacked_size() const {
  if (packing_ == Packing::none || bytes_) return size_;
  std::int64_t bytes = 0;
  auto const read = each_piece([&](std::string_view piece) {
    bytes += static_cast<std::int64_t>(piece.size());
    return true;
  });
  if (!read) return read.problem();
  return bytes;
}

Result<Success> DataFile::load(std::int64_t size, std::int64_t in_memory_size) {
  bool const packed = packing_ != Packing::none;
  auto found = size_;
  if (packed || (size_ == size && size_ <= in_memory_size)) {
    if (auto fits = check_memory(size); !fits) return problem(fits.problem().message);
    ByteStream stream(*file_, packing_, begin_, size_);
    auto bytes = read_up_to(stream, size + 1);
    if (!bytes) return problem(bytes.problem().message);
    found = static_cast<std::int64_t>(bytes.value().size());
    if (found == size)
      bytes_ = std::make_shared<std::vector<std::uint8_t> const>(std::move(bytes).value());
  }
  if (found < size)
    return problem("it ends after " + std::to_string(found) + " of " + std::to_string(size) +
                   " bytes; was it copied completely?");
  if (found > size) return problem("it is longer than its header says");
  size_ = size;
  return Success{};
}

Result<std::uint8_t const*> DataFile::read(std::int64_t begin, std::int64_t count,
                                           std::uint8_t* buffer) const {
  if (begin < 0 || count < 0 || begin > size_ || count > size_ - begin)
    return problem("it ends after " + std::to_string(size_) + " bytes, " + std::to_string(count) +
                   " were expected from byte " + std::to_string(begin) + " on");
  if (bytes_) return bytes_->data() + begin;
  auto const got = file_->read(begin_ + begin, count, buffer);
  if (!got) return problem(got.problem().message);
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

DataFile DataFile::part(std::string name, Packing packing, std::int64_t begin,
                        std::int64_t count) const {
  return {std::move(name), file_, packing, begin_ + begin, count};
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

}  // namespace lbann
