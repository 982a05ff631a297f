// Types of indices, and of elements whose bits alone move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/conversion.hpp"

namespace lbann::kernels::kokkos {

/// Whether portable kernels read indices of this type.
constexpr bool is_index_type(DataType type) {
  return type == DataType::f32 || type == DataType::f64 || type == DataType::i32 ||
         type == DataType::i64;
}

/// Calls f with a zero of an index type.
template <class F>
decltype(auto) with_index_type(DataType type, F&& f) {
  return with_type(type, [&](auto zero) -> decltype(auto) {
    if constexpr (std::is_same_v<decltype(zero), std::uint8_t>)
      return f(float{});  // bytes are no indices
    else
      return f(zero);
  });
}

/// Calls f with a zero of the unsigned type of 1, 2, 4 or 8 bytes.
template <class F>
decltype(auto) with_unit(std::size_t bytes, F&& f) {
  switch (bytes) {
    case 1:
      return f(std::uint8_t{});
    case 2:
      return f(std::uint16_t{});
    case 4:
      return f(std::uint32_t{});
    default:
      return f(std::uint64_t{});
  }
}

}  // namespace lbann::kernels::kokkos
