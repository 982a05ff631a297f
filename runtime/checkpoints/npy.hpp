// One tensor in NumPy's .npy format.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "schemas/data_formats/npy_header.hpp"
#include "schemas/vocabulary/data_type.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// The header of a file with elements in C order, little-endian. f64, f32, i32, i64, u8 only.
Result<std::string> npy_head(DataType type, std::span<std::int64_t const> dims);

/// Writes elements in C order, little-endian, to the new file `path`. f64, f32, i32, i64, u8 only.
Result<Success> write_npy(std::filesystem::path const& path, DataType type,
                          std::span<std::int64_t const> dims, std::span<std::byte const> data);

/// `f32 [20, 1, 5, 5]`, or for types that tensors cannot have: `u2 [20]`.
std::string describe(NpyHeader const& head);
std::string describe(DataType type, std::span<std::int64_t const> dims);

}  // namespace lbann::runtime
