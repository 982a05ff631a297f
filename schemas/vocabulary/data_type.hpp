// The scalar types a tensor can be stored in.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lbann {

enum class DataType : std::uint8_t { f64, f32, bf16, f16, i32, i64, u8 };

inline constexpr std::array<std::string_view, 7> data_type_names = {"f64", "f32", "bf16", "f16",
                                                                    "i32", "i64", "u8"};

/// Name in text forms, e.g. `f32`.
constexpr std::string_view name_of(DataType type) {
  return data_type_names[static_cast<std::size_t>(type)];
}

/// Size of one element in bytes.
constexpr std::size_t bytes_of(DataType type) {
  constexpr std::array<std::size_t, 7> bytes = {8, 4, 2, 2, 4, 8, 1};
  return bytes[static_cast<std::size_t>(type)];
}

constexpr bool is_floating(DataType type) { return type <= DataType::f16; }

/// Whether a number takes two bytes: bf16 and f16, in which tensors are stored, but not computed.
constexpr bool is_sixteen_bit(DataType type) {
  return type == DataType::bf16 || type == DataType::f16;
}

/// The type that numbers of `type` are computed in and added up in: f32 for those of 16 bits.
constexpr DataType compute_type_of(DataType type) {
  return is_sixteen_bit(type) ? DataType::f32 : type;
}

/// The type with this name, or nothing.
constexpr std::optional<DataType> data_type_named(std::string_view name) {
  for (std::size_t i = 0; i < data_type_names.size(); ++i)
    if (data_type_names[i] == name) return static_cast<DataType>(i);
  return std::nullopt;
}

}  // namespace lbann
