// Arrays in NumPy's .npy format.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// A .npy file in memory: C order, numbers as they lie in the file.
struct NpyFile {
  /// Types by their letters in `descr`, little-endian or of one byte.
  enum class Number : std::uint8_t { f4, f8, i1, i2, i4, i8, u1, u2, u4, u8 };

  std::vector<std::int64_t> dims;
  Number number = Number::f4;
  std::vector<std::uint8_t> bytes;

  /// Calls `visit(i, value)` with `count` numbers from `begin` on, as double.
  template <class Visit>
  void each(std::int64_t begin, std::int64_t count, Visit visit) const;
};

/// Reads version 1 to 3 of the format; the problem names the file.
Result<NpyFile> read_npy_file(std::string const& path);

namespace detail {

template <class T, class Visit>
void each_number(std::uint8_t const* bytes, std::int64_t count, Visit visit) {
  for (std::int64_t i = 0; i < count; ++i) {
    T number;
    __builtin_memcpy(&number, bytes + static_cast<std::size_t>(i) * sizeof(T), sizeof(T));
    visit(i, static_cast<double>(number));
  }
}

}  // namespace detail

inline std::int64_t bytes_of(NpyFile::Number number) {
  constexpr std::int64_t bytes[] = {4, 8, 1, 2, 4, 8, 1, 2, 4, 8};
  return bytes[static_cast<std::size_t>(number)];
}

template <class Visit>
void NpyFile::each(std::int64_t begin, std::int64_t count, Visit visit) const {
  auto const* from = bytes.data() + begin * bytes_of(number);
  switch (number) {
    case Number::f4:
      return detail::each_number<float>(from, count, visit);
    case Number::f8:
      return detail::each_number<double>(from, count, visit);
    case Number::i1:
      return detail::each_number<std::int8_t>(from, count, visit);
    case Number::i2:
      return detail::each_number<std::int16_t>(from, count, visit);
    case Number::i4:
      return detail::each_number<std::int32_t>(from, count, visit);
    case Number::i8:
      return detail::each_number<std::int64_t>(from, count, visit);
    case Number::u1:
      return detail::each_number<std::uint8_t>(from, count, visit);
    case Number::u2:
      return detail::each_number<std::uint16_t>(from, count, visit);
    case Number::u4:
      return detail::each_number<std::uint32_t>(from, count, visit);
    case Number::u8:
      return detail::each_number<std::uint64_t>(from, count, visit);
  }
}

}  // namespace lbann::runtime
