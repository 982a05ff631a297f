// Filters undone in reverse order, each checked: damaged bytes are a problem, never a number.
#include "schemas/samples/hdf5_chunks.hpp"

#include <zlib.h>

#include <cstring>

#include "schemas/samples/data_file.hpp"

namespace lbann {

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t checksum_bytes = 4;

/// Undoes deflate; gives no more than `most` bytes.
Result<Success> inflate_all(Bytes const& packed, std::size_t most, Bytes& plain) {
  plain.resize(most);
  auto size = static_cast<uLongf>(most);
  auto const done = ::uncompress(plain.data(), &size, packed.data(), packed.size());
  if (done != Z_OK) return Problem{"its compressed bytes are damaged"};
  plain.resize(size);
  return Success{};
}

/// The bytes of numbers of `width` bytes lie first bytes first, then second bytes, and so on.
void unshuffle(Bytes const& shuffled, std::size_t width, Bytes& plain) {
  plain.resize(shuffled.size());
  auto const count = shuffled.size() / width;
  for (std::size_t byte = 0; byte < width; ++byte)
    for (std::size_t i = 0; i < count; ++i) plain[i * width + byte] = shuffled[byte * count + i];
  std::copy(shuffled.begin() + static_cast<std::ptrdiff_t>(count * width), shuffled.end(),
            plain.begin() + static_cast<std::ptrdiff_t>(count * width));
}

/// Fletcher's checksum of 32 bits over big-endian words of 16 bits, as HDF5 takes it.
std::uint32_t fletcher32(std::span<std::uint8_t const> bytes) {
  std::uint32_t first = 0, second = 0;
  auto const add = [&](std::uint32_t word) {
    first = (first + word) % 65535;
    second = (second + first) % 65535;
  };
  std::size_t i = 0;
  for (; i + 1 < bytes.size(); i += 2)
    add(static_cast<std::uint32_t>(bytes[i]) << 8 | bytes[i + 1]);
  if (i < bytes.size()) add(static_cast<std::uint32_t>(bytes[i]) << 8);
  return second << 16 | first;
}

/// Sums modulo 65535 that are 0 may be written as 65535.
bool same_checksum(std::uint32_t a, std::uint32_t b) {
  auto const same = [](std::uint32_t x, std::uint32_t y) { return x % 65535 == y % 65535; };
  return same(a >> 16, b >> 16) && same(a & 0xffff, b & 0xffff);
}

Result<Success> check_sum(Bytes& bytes) {
  if (bytes.size() < checksum_bytes) return Problem{"it is too short for its checksum"};
  auto const size = bytes.size() - checksum_bytes;
  std::uint32_t stored = 0;
  for (std::size_t i = 0; i < checksum_bytes; ++i)
    stored |= static_cast<std::uint32_t>(bytes[size + i]) << (8 * i);
  bytes.resize(size);
  if (!same_checksum(fletcher32(bytes), stored)) return Problem{"its checksum is another one"};
  return Success{};
}

/// `bytes` as they were before the filters; `spare` is memory to work in.
Result<Success> undo_filters(Hdf5Chunks const& chunks, std::uint32_t left_out, Bytes& bytes,
                             Bytes& spare) {
  auto const most =
      static_cast<std::size_t>(chunks.bytes()) + checksum_bytes * chunks.filters.size();
  for (auto i = chunks.filters.size(); i-- > 0;) {
    if ((left_out >> i & 1) != 0) continue;
    switch (chunks.filters[i]) {
      case Hdf5Filter::deflate:
        if (auto done = inflate_all(bytes, most, spare); !done) return done;
        bytes.swap(spare);
        break;
      case Hdf5Filter::shuffle:
        unshuffle(bytes, static_cast<std::size_t>(chunks.number_bytes), spare);
        bytes.swap(spare);
        break;
      case Hdf5Filter::fletcher32:
        if (auto good = check_sum(bytes); !good) return good;
    }
  }
  if (static_cast<std::int64_t>(bytes.size()) == chunks.bytes()) return Success{};
  return Problem{"it holds " + std::to_string(bytes.size()) + " bytes of " +
                 std::to_string(chunks.bytes())};
}

/// What a thread unpacked last. It keeps the chunks alive, so that no others take their address.
struct Unpacked {
  std::shared_ptr<Hdf5Chunks const> chunks;
  std::size_t chunk = 0;
  Bytes bytes, spare;
};

}  // namespace

std::int64_t Hdf5Chunks::bytes() const {
  auto product = number_bytes;
  for (auto const size : dims) product *= size;
  return product;
}

Result<std::span<std::uint8_t const>> read_chunk(std::shared_ptr<Hdf5Chunks const> const& chunks,
                                                 std::size_t chunk, DataFile const& file) {
  thread_local Unpacked last;
  if (last.chunks == chunks && last.chunk == chunk)
    return std::span<std::uint8_t const>(last.bytes);
  last.chunks.reset();  // until all went well
  auto const& [begin, size, left_out] = chunks->places[chunk];
  if (begin < 0) {
    last.bytes.resize(static_cast<std::size_t>(chunks->bytes()));
    for (std::size_t i = 0; i < last.bytes.size(); ++i)
      last.bytes[i] = chunks->fill[i % chunks->fill.size()];
  } else {
    // A size that the file cannot have is refused before memory is asked for.
    if (size < 0 || size > file.size()) return file.problem("a chunk is longer than the file");
    last.bytes.resize(static_cast<std::size_t>(size));
    if (auto copied = file.copy(begin, size, last.bytes.data()); !copied) return copied.problem();
    if (auto good = undo_filters(*chunks, left_out, last.bytes, last.spare); !good)
      return file.problem("chunk " + std::to_string(chunk) +
                          " is damaged: " + good.problem().message);
  }
  last.chunks = chunks;
  last.chunk = chunk;
  return std::span<std::uint8_t const>(last.bytes);
}

}  // namespace lbann
