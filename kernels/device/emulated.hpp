// The queue of the emulated device.
#pragma once

#include <functional>

namespace lbann::device {

/// Queues `work`, which may touch the device's memory when it runs.
void enqueue(std::function<void()> work);

}  // namespace lbann::device
