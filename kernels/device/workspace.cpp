// Memory that kernels use one after the other.
#include "kernels/device/device.hpp"

namespace lbann::device {

std::byte* workspace(std::size_t bytes, char const* user) {
  static std::byte* memory = nullptr;
  static std::size_t size = 0;
  if (bytes > size) {
    memory = allocate(static_cast<std::int64_t>(bytes)).release();
    if (memory == nullptr)
      fail("the device has no memory left for the workspace of " + std::string(user));
    size = bytes;
  }
  return memory;
}

}  // namespace lbann::device
