// The queue of the emulated device.
#pragma once

#include <cstdint>
#include <functional>

namespace lbann::device {

/// Queues the work of a kernel, which may touch the device's memory when it runs.
void enqueue(std::function<void()> work);
/// The same of work that begins, and lets what is queued after it begin, when `ready`.
void enqueue_when(std::function<bool()> ready, std::function<void()> work);

/// Number of the device that `start` has taken, of LBANN_EMULATED_DEVICES (1 if it is not set).
std::int64_t chosen_device();

/// What was asked of the device since the process began: each of these takes a GPU some
/// microseconds, whatever its size.
struct Requests {
  std::int64_t kernels = 0;                               ///< launched one by one
  std::int64_t graphs = 0;                                ///< launched
  std::int64_t graph_kernels = 0;                         ///< of these graphs
  std::int64_t copies_to_device = 0, copies_to_host = 0;  ///< one by one and of graphs
  std::int64_t copies_on_device = 0;                      ///< and memory cleared
  std::int64_t waits = 0;                                 ///< of the host, for anything queued
  std::int64_t bytes_to_device = 0, bytes_to_host = 0;    ///< of all of these copies
};
Requests requests();

}  // namespace lbann::device
