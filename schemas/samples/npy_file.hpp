// Arrays in NumPy's .npy format.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schemas/data_formats/npy_header.hpp"
#include "schemas/samples/data_file.hpp"
#include "schemas/samples/samples.hpp"

namespace lbann {

/// An array in C order, its numbers as they lie in the file.
struct NpyFile {
  using Number = NpyNumber;

  std::vector<std::int64_t> dims;
  Number number = Number::f4;
  DataFile file;
  std::int64_t begin = 0;                      ///< byte of `file` at which the numbers begin
  std::int64_t numbers = 0;                    ///< how many there are
  std::optional<std::uint32_t> checksum = {};  ///< CRC-32 of the file, where an archive tells it

  /// Bytes that the header promises in all.
  std::int64_t bytes() const { return begin + numbers * bytes_of(number); }

  /// Makes the numbers readable, and checks that they are as many as the header promises; with
  /// `checks_all` also the checksum of a file that is not brought to memory.
  Result<Success> load(bool checks_all);

  /// Calls `visit(i, value)` with `count` numbers from `first` on, as double. Allocates nothing.
  template <class Visit>
  Result<Success> each(std::int64_t first, std::int64_t count, Visit visit) const;

  /// Writes `values.count` numbers from `first` on, times `scale`. Integers that are not scaled and
  /// that a float would round are a problem. Allocates nothing where there is none.
  Result<Success> read(std::int64_t first, FieldValues const& values, double scale) const;
};

/// Reads the header, version 1 to 3 of the format, of a file or a part of one; the problem names
/// it.
Result<NpyFile> open_npy_file(DataFile file);
Result<NpyFile> open_npy_file(std::string const& path);

namespace detail {

template <class T, class Visit>
void each_number(std::uint8_t const* bytes, std::int64_t first, std::int64_t count, Visit& visit) {
  for (std::int64_t i = 0; i < count; ++i) {
    T number;
    __builtin_memcpy(&number, bytes + static_cast<std::size_t>(i) * sizeof(T), sizeof(T));
    visit(first + i, static_cast<double>(number));
  }
}

template <class Visit>
void each_number(NpyNumber type, std::uint8_t const* bytes, std::int64_t first, std::int64_t count,
                 Visit& visit) {
  switch (type) {
    case NpyNumber::f4:
      return each_number<float>(bytes, first, count, visit);
    case NpyNumber::f8:
      return each_number<double>(bytes, first, count, visit);
    case NpyNumber::i1:
      return each_number<std::int8_t>(bytes, first, count, visit);
    case NpyNumber::i2:
      return each_number<std::int16_t>(bytes, first, count, visit);
    case NpyNumber::i4:
      return each_number<std::int32_t>(bytes, first, count, visit);
    case NpyNumber::i8:
      return each_number<std::int64_t>(bytes, first, count, visit);
    case NpyNumber::u1:
      return each_number<std::uint8_t>(bytes, first, count, visit);
    case NpyNumber::u2:
      return each_number<std::uint16_t>(bytes, first, count, visit);
    case NpyNumber::u4:
      return each_number<std::uint32_t>(bytes, first, count, visit);
    case NpyNumber::u8:
      return each_number<std::uint64_t>(bytes, first, count, visit);
  }
}

}  // namespace detail

template <class Visit>
Result<Success> NpyFile::each(std::int64_t first, std::int64_t count, Visit visit) const {
  std::uint8_t buffer[1 << 14];
  auto const width = bytes_of(number);
  auto const longest = static_cast<std::int64_t>(sizeof(buffer)) / width;
  for (std::int64_t done = 0; done < count; done += longest) {
    auto const piece = std::min(longest, count - done);
    auto const read_bytes = file.read(begin + (first + done) * width, piece * width, buffer);
    if (!read_bytes) return read_bytes.problem();
    detail::each_number(number, read_bytes.value(), done, piece, visit);
  }
  return Success{};
}

}  // namespace lbann
