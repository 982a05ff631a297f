// The header of NumPy's .npy format.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schemas/vocabulary/data_type.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann {

/// Types of numbers by their letters in `descr`, little-endian or of one byte.
enum class NpyNumber : std::uint8_t { f4, f8, i1, i2, i4, i8, u1, u2, u4, u8 };

/// Bytes of one number.
std::int64_t bytes_of(NpyNumber number);
/// Its letters, e.g. `f4`.
std::string_view name_of(NpyNumber number);
/// The same type among those of tensors, and the other way round; nothing where the other side has
/// none such.
std::optional<DataType> tensor_type(NpyNumber number);
std::optional<NpyNumber> npy_number(DataType type);

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

/// The first bytes of a file of version 1, before the numbers in C order, as NumPy writes them: of
/// a multiple of 64 bytes.
std::string npy_header(NpyNumber number, std::span<std::int64_t const> dims);

}  // namespace lbann
