// Finds ranks that are gone or stuck while others wait for them.
#pragma once

#include <memory>

#include "runtime/communication/communicator.hpp"

namespace lbann::runtime {

/// Each rank replies to status queries on a separate thread and port; a rank that waits long
/// queries the others. A dead rank ends the job within seconds, a wait longer than `stall_timeout`
/// as well, each with one message from the lowest waiting rank.
class Watchdog {
 public:
  /// `stall_timeout` in seconds. `urgent`: whether to query at once (a signal was received).
  /// Collective.
  Watchdog(Communicator& world, double stall_timeout, bool (*urgent)());
  /// Collective, except during stack unwinding. `world` must still exist.
  ~Watchdog();
  Watchdog(Watchdog const&) = delete;

  /// Notifies all ranks that this one ends the job and has reported why. Async-signal-safe; does
  /// nothing without a watchdog.
  static void announce_exit();

 private:
  class Watch;
  std::unique_ptr<Watch> watch_;
};

}  // namespace lbann::runtime
