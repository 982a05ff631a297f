// The text of a map in CUDA C++, for a compiler that is called when tensors are bound: the values
// of an expression stay in registers, and what is known of its tensors is not looked up.
#pragma once

#include <string>

#include "kernels/jit/map_arguments.hpp"
#include "kernels/map/map_code.hpp"

namespace lbann::kernels::jit {

/// Threads of a block.
inline constexpr int map_threads = 256;

/// A kernel `map(MapArguments)`, whose threads compute `width` neighbouring elements each. Equal
/// maps of tensors of other extents at other addresses have the same text.
struct MapText {
  std::string text;
  int width = 1;
};

/// For `code` without an ahead-of-time kernel.
MapText map_text(MapCode const& code);

MapArguments map_arguments(MapCode const& code);

/// `struct Values`, which has the numbers of an element by `get(index, T* numbers)`, for kernels
/// that reduce them.
std::string values_text(MapCode const& code);

}  // namespace lbann::kernels::jit
