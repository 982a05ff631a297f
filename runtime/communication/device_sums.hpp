// Sums over ranks by their devices alone.
#pragma once

#include <memory>

#include "kernels/device/group.hpp"
#include "kernels/kernel.hpp"
#include "runtime/communication/communicator.hpp"

namespace lbann::runtime {

class DeviceSums {
 public:
  /// Collective over `ranks`. Null on all of them where sums go by way of the host: there is no
  /// library for them on some rank, or two ranks share a device.
  static std::unique_ptr<DeviceSums> open(Communicator& ranks);

  /// Of tensors of the device.
  std::unique_ptr<Transfer> sum(kernels::View const& parts, kernels::View const& sum);

 private:
  explicit DeviceSums(std::unique_ptr<device::Group> group) : group_(std::move(group)) {}

  std::unique_ptr<device::Group> group_;
};

}  // namespace lbann::runtime
