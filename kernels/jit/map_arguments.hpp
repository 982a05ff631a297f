// What a map that is compiled at run time is called with: the same on the host and in its text.
#pragma once

#include <cstdint>

#include "kernels/shapes/division.hpp"

namespace lbann::kernels::jit {

inline constexpr int most_axes = 6, most_operands = 16, most_outputs = 8;

struct OperandArguments {
  void const* data = nullptr;
  std::int64_t strides[most_axes] = {};  ///< along the axes, in elements
};

struct MapArguments {
  std::int64_t elements = 0;
  std::int64_t extents[most_axes] = {};
  Divisor divisors[most_axes];  ///< of extents, where all indices are below 2^31
  OperandArguments operands[most_operands];
  void* outputs[most_outputs] = {};
};

}  // namespace lbann::kernels::jit
