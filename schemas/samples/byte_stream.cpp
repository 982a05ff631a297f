// pread, and zlib where something is packed.
#include "schemas/samples/byte_stream.hpp"

#include <zlib.h>

#include <algorithm>
#include <string>
#include <vector>

namespace lbann {

namespace {

constexpr std::int64_t packed_piece = 1 << 17;

}  // namespace

struct ByteStream::Inflation {
  z_stream stream{};
  bool good, ended = false;
  std::vector<std::uint8_t> packed = std::vector<std::uint8_t>(packed_piece);

  explicit Inflation(Packing packing)
      : good(::inflateInit2(&stream, packing == Packing::gzip ? 16 + MAX_WBITS : -MAX_WBITS) ==
             Z_OK) {}
  Inflation(Inflation const&) = delete;
  ~Inflation() { ::inflateEnd(&stream); }
};

ByteStream::ByteStream(RegularFile const& file, Packing packing, std::int64_t begin,
                       std::int64_t size)
    : file_(&file),
      packing_(packing),
      at_(begin),
      end_(begin + size),
      inflation_(packing == Packing::none ? nullptr : std::make_unique<Inflation>(packing)) {}

ByteStream::~ByteStream() = default;
ByteStream::ByteStream(ByteStream&&) noexcept = default;

Problem ByteStream::damaged(char const* why) const {
  return {std::string(packing_ == Packing::gzip ? "damaged gzip data: " : "damaged packed data: ") +
          why};
}

Result<std::int64_t> ByteStream::read(std::uint8_t* to, std::int64_t count) {
  if (failure_) return *failure_;
  if (inflation_) return inflate(to, count);
  auto got = file_->read(at_, std::min(count, end_ - at_), to);
  if (got) at_ += got.value();
  return got;
}

/// More packed bytes, if there are any.
Result<Success> ByteStream::refill() {
  auto& [stream, good, ended, packed] = *inflation_;
  if (stream.avail_in > 0) return Success{};
  auto const got = file_->read(at_, std::min(packed_piece, end_ - at_), packed.data());
  if (!got) return got.problem();
  at_ += got.value();
  stream.next_in = packed.data();
  stream.avail_in = static_cast<unsigned>(got.value());
  return Success{};
}

Result<std::int64_t> ByteStream::inflate(std::uint8_t* to, std::int64_t count) {
  constexpr std::int64_t most_at_once = 1 << 30;
  auto& [stream, good, ended, packed] = *inflation_;
  if (!good) return Problem{"no memory to unpack it"};
  std::int64_t done = 0;
  while (done < count && !ended && !failure_) {
    if (auto filled = refill(); !filled) failure_ = filled.problem();
    if (stream.avail_in == 0 && !failure_) failure_ = damaged("unexpected end of file");
    if (failure_) break;
    auto const room = std::min(count - done, most_at_once);
    stream.next_out = to + done;
    stream.avail_out = static_cast<unsigned>(room);
    auto const status = ::inflate(&stream, Z_NO_FLUSH);
    done += room - stream.avail_out;
    if (status == Z_STREAM_END) {
      // A gzip file may be several, one behind the other; anything else behind it is ignored.
      if (auto filled = refill(); !filled) failure_ = filled.problem();
      constexpr std::uint8_t gzip_magic = 0x1f;
      ended = packing_ != Packing::gzip || stream.avail_in == 0 || *stream.next_in != gzip_magic ||
              ::inflateReset(&stream) != Z_OK;
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      failure_ = damaged(stream.msg != nullptr ? stream.msg : "it cannot be unpacked");
    }
  }
  if (done == 0 && failure_) return *failure_;
  return done;
}

}  // namespace lbann
