// A tensor that a test reads and writes, and kernels find in their memory.
#pragma once

#include <vector>

#include "kernels/device/device.hpp"
#include "kernels/kernel.hpp"

namespace lbann::testing {

class DeviceTensor {
 public:
  /// Zeroed, with `margin` more bytes after it.
  DeviceTensor(TensorType const& type, std::int64_t samples, std::size_t margin = 8)
      : view_(kernels::make_view(nullptr, type, samples)), memory_(view_.bytes() + margin) {
    if (device::has_own_memory())
      device_ = device::allocate(static_cast<std::int64_t>(memory_.size()));
  }

  kernels::View on_host() { return at(memory_.data()); }
  kernels::View for_kernels() { return at(device_ ? device_.get() : memory_.data()); }

  void to_device() const {
    if (device_) device::copy_to_device(device_.get(), memory_.data(), memory_.size());
    device::synchronize();
  }
  void from_device() {
    if (device_) device::copy_to_host(memory_.data(), device_.get(), memory_.size());
    device::synchronize();
  }

 private:
  kernels::View at(std::byte* data) const {
    auto view = view_;
    view.data = data;
    return view;
  }

  kernels::View view_;
  std::vector<std::byte> memory_;
  device::Memory device_;
};

}  // namespace lbann::testing
