// One tensor in NumPy's .npy format.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "schemas/vocabulary/data_type.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// What stands in the head of a file.
struct NpyHead {
  DataType type = DataType::f32;
  bool fortran_order = false;
  std::vector<std::int64_t> dims;
  std::int64_t data_offset = 0;  ///< bytes before the first element
};

/// The head of a file with elements in C order, little-endian. f64, f32, i32, i64, u8 only.
Result<std::string> npy_head(DataType type, std::span<std::int64_t const> dims);

/// Writes elements in C order, little-endian, to the new file `path`. f64, f32, i32, i64, u8 only.
Result<Success> write_npy(std::filesystem::path const& path, DataType type,
                          std::span<std::int64_t const> dims, std::span<std::byte const> data);

/// Reads the head of `path`; versions 1 to 3, types as for `write_npy`.
Result<NpyHead> read_npy_head(std::filesystem::path const& path);

/// Reads the elements of `path`, of this head, into `data`, whose size must be theirs.
Result<Success> read_npy_data(std::filesystem::path const& path, NpyHead const& head,
                              std::span<std::byte> data);

/// `f32 [20, 1, 5, 5]`.
std::string describe(DataType type, std::span<std::int64_t const> dims);

}  // namespace lbann::runtime
