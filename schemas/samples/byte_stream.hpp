// The bytes of a part of a file from front to back, unpacked on the way.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "schemas/files/regular_file.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann {

/// How bytes lie in a file: as they are, as a gzip file (RFC 1952), as plain deflate (RFC 1951).
enum class Packing : std::uint8_t { none, gzip, deflate };

class ByteStream {
 public:
  /// Bytes `begin` to `begin + size` of `file`, which must outlive this.
  ByteStream(RegularFile const& file, Packing packing, std::int64_t begin, std::int64_t size);
  ~ByteStream();
  ByteStream(ByteStream&&) noexcept;

  /// Writes the next bytes to `to`, `count` of them or all that are left; how many. What is damaged
  /// is a problem once all bytes before it were given; the problem does not name the file.
  Result<std::int64_t> read(std::uint8_t* to, std::int64_t count);

 private:
  struct Inflation;
  Result<std::int64_t> inflate(std::uint8_t* to, std::int64_t count);
  Result<Success> refill();
  Problem damaged(char const* why) const;

  RegularFile const* file_;
  Packing packing_;
  std::int64_t at_, end_;
  std::unique_ptr<Inflation> inflation_;  ///< null where nothing is packed
  std::optional<Problem> failure_;
};

}  // namespace lbann
