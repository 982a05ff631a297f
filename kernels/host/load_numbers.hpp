// Loads of registers of numbers as they are computed with, whatever type they are stored in.
#pragma once

#include <type_traits>

#include "kernels/conversion.hpp"
#include "kernels/host/vector.hpp"

namespace lbann::kernels::host {

/// lanes<ComputeType<T>> numbers.
template <class T>
inline Vector<ComputeType<T>> load_numbers(T const* from) {
  if constexpr (std::is_same_v<T, BFloat16>)
    return load_bfloat16(&from->bits);
  else if constexpr (std::is_same_v<T, Float16>)
    return load_float16(&from->bits);
  else
    return load_vector(from);
}

/// The first `count` of them, zero behind these; reads no others.
template <class T>
inline Vector<ComputeType<T>> load_first_numbers(T const* from, int count) {
  if constexpr (std::is_same_v<T, ComputeType<T>>) {
    return LaneRange<T>(0, count).load(from);
  } else {
    T numbers[lanes<ComputeType<T>>] = {};
    copy_first_halves(&numbers->bits, &from->bits, count);
    return load_numbers(numbers);
  }
}

}  // namespace lbann::kernels::host
