// The header of NumPy's .npy format.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schemas/vocabulary/result.hpp"

namespace lbann {

/// Types of numbers by their letters in `descr`, little-endian or of one byte.
enum class NpyNumber : std::uint8_t { f4, f8, i1, i2, i4, i8, u1, u2, u4, u8 };

/// Bytes of one number.
std::int64_t bytes_of(NpyNumber number);

struct NpyHeader {
  std::vector<std::int64_t> dims;
  NpyNumber number = NpyNumber::f4;
  std::int64_t begin = 0;    ///< byte at which the numbers begin
  std::int64_t numbers = 0;  ///< how many there are
};

/// Longest header that is read: the longest that version 1 of the format can say.
inline constexpr std::int64_t longest_npy_header = 65535 + 12;

/// Reads version 1 to 3 from the first bytes of a file: `longest_npy_header` of them, or all. What
/// is wrong is said without the file's name.
/// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
Result<NpyHeader> parse_npy_header(std::span<std::uint8_t const> bytes);

}  // namespace lbann
