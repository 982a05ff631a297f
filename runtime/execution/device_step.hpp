// What a run of an entry point on a device begins and ends with.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "kernels/device/device.hpp"
#include "runtime/communication/waiting.hpp"
#include "runtime/process/position.hpp"

namespace lbann::runtime {

/// Waits for all that is queued, which may be sums: looks for ranks that do not post theirs.
inline void wait_for_device() {
  if (device::has_own_memory()) wait_until(&device::is_done);
}

/// Memory of the device and its image on the host, copied before each run and after it.
struct Mirrored {
  std::byte* on_device = nullptr;
  std::byte* on_host = nullptr;
  std::size_t bytes = 0;
};

/// A run of an entry point on a device: what the host has written is copied there, and when all
/// instructions are done, what it will read comes back.
class DeviceStep {
 public:
  /// `recordable`: no instruction waits for the device. `sums`: what to say while it waits for
  /// other ranks, whose parts the device adds up; empty where it does not.
  DeviceStep(std::vector<Mirrored> mirrored, bool recordable, std::string sums)
      : mirrored_(std::move(mirrored)), recordable_(recordable), sums_(std::move(sums)) {}

  void begin() const {
    for (auto const& each : mirrored_)
      device::copy_to_device(each.on_device, each.on_host, each.bytes);
  }
  /// Waits for the device.
  void end() const {
    copy_back();
    wait();
  }

  /// The first time `all`, which queues all instructions, is called (libraries may then allocate);
  /// the second time it is recorded, and from then on the record is launched.
  template <class All>
  void run_recorded(All const& all) {
    if (!recordable_ || !warm_) {
      begin();
      all();
      copy_back();
    } else {
      if (graph_ == nullptr) record(all);
      graph_->launch();
    }
    warm_ = true;
    wait();
  }

 private:
  void wait() const {
    if (sums_.empty()) return device::synchronize();
    position().store(sums_.c_str(), std::memory_order_relaxed);
    wait_for_device();
  }

  void copy_back() const {
    for (auto const& each : mirrored_)
      device::copy_to_host(each.on_host, each.on_device, each.bytes);
  }

  template <class All>
  void record(All const& all) {
    device::begin_recording();
    begin();
    all();
    copy_back();
    graph_ = device::end_recording();
  }

  std::vector<Mirrored> mirrored_;
  bool recordable_, warm_ = false;
  std::string sums_;
  std::unique_ptr<device::Graph> graph_;
};

}  // namespace lbann::runtime
