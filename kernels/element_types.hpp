// Which element types kernels take, and calls of templates with the type that a view has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/conversion.hpp"
#include "kernels/kernel.hpp"

namespace lbann::kernels {

/// Whether kernels can compare and compute with elements of the type as they are stored.
constexpr bool is_arithmetic(DataType type) { return !is_sixteen_bit(type); }

/// Whether all floating-point views of `call` have the type of its first input, f32 or f64.
inline bool one_type(Call const& call) {
  auto const type = call.inputs[0].type;
  auto fits = [&](View const& view) { return !is_floating(view.type) || view.type == type; };
  if (type != DataType::f32 && type != DataType::f64) return false;
  for (auto const& view : call.inputs)
    if (!fits(view)) return false;
  for (auto const& view : call.outputs)
    if (!fits(view)) return false;
  return true;
}

/// Whether both inputs have one floating-point type, and the output that of their product.
inline bool factors_of_one_type(Call const& call) {
  auto const type = call.inputs[0].type;
  return is_floating(type) && call.inputs[1].type == type &&
         call.outputs[0].type == compute_type_of(type);
}

/// Calls f with a zero of `type`, f32 or f64.
template <class F>
decltype(auto) with_floating(DataType type, F&& f) {
  return type == DataType::f64 ? f(double{}) : f(float{});
}

/// The same of any floating-point type: factors of products, and what is averaged.
template <class F>
decltype(auto) with_factor_type(DataType type, F&& f) {
  if (type == DataType::f16) return f(Float16{});
  return type == DataType::bf16 ? f(BFloat16{}) : with_floating(type, f);
}

/// Whether kernels read indices of this type.
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

/// Calls f with a zero of the unsigned type of 1, 2, 4 or 8 bytes, for kernels that move elements
/// without computing on them.
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

}  // namespace lbann::kernels
