// The header of the safetensors format: named tensors in one file.
// https://huggingface.co/docs/safetensors: 8 bytes little-endian N, N bytes of JSON, the data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schemas/vocabulary/data_type.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// One tensor: its elements in C order, little-endian, at bytes [begin, end) of the data.
struct SafetensorsEntry {
  std::string name;
  DataType type = DataType::f32;
  std::vector<std::int64_t> dims;
  std::int64_t begin = 0, end = 0;
  friend bool operator==(SafetensorsEntry const&, SafetensorsEntry const&) = default;
};

/// Bytes of a file before its JSON text.
inline constexpr std::int64_t safetensors_prefix = 8;
/// Longest JSON text that is read, as in the reference implementation.
inline constexpr std::int64_t longest_safetensors_header = 100'000'000;

/// Bytes of the JSON text, from the first 8 bytes of a file of `file_bytes` (or all there are).
/// Problems do not name the file.
Result<std::int64_t> safetensors_header_bytes(std::span<std::uint8_t const> prefix,
                                              std::int64_t file_bytes);

/// The tensors of a file with this JSON text and `data_bytes` bytes behind it, in the order of
/// their data. Their data must cover these bytes without gap or overlap. Types are F64, F32, I64,
/// I32 and U8; others are a problem. `__metadata__` is checked and left out. Problems do not name
/// the file.
Result<std::vector<SafetensorsEntry>> parse_safetensors_header(std::string_view json,
                                                               std::int64_t data_bytes);

/// The first bytes of a file of these tensors, in this order, before the data: a multiple of 64.
/// The data of each must begin where those of the one before end, the first at 0. Problems: a type
/// as above, a name that is twice there, `__metadata__` or not UTF-8, other places of the data, a
/// text too long to be read.
Result<std::string> compose_safetensors_header(std::span<SafetensorsEntry const> entries);

}  // namespace lbann::runtime
