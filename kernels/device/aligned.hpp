// Memory of the host for devices that are no more than that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace lbann::device {

/// Zeroed memory, aligned to 256 bytes as that of a GPU, for `std::free`; null if there is none.
inline std::byte* allocate_aligned(std::int64_t bytes) {
  constexpr std::size_t alignment = 256;
  auto const length = (static_cast<std::size_t>(bytes) + alignment) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, length);
  if (memory != nullptr) std::memset(memory, 0, length);
  return static_cast<std::byte*>(memory);
}

}  // namespace lbann::device
