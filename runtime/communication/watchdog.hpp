// Who is missing, when ranks wait for one another.
#pragma once

#include <memory>

#include "runtime/communication/communicator.hpp"

namespace lbann::runtime {

/// Every rank answers on a thread and a port of its own where it is; a rank that waits long asks
/// the others. A rank that is gone ends the job within seconds, one that does not come within the
/// patience as well, each with one message of the lowest rank that waits.
class Watchdog {
 public:
  /// `patience` in seconds. `urgent`: whether there is reason to ask at once (a signal came).
  /// Collective.
  Watchdog(Communicator& world, double patience, bool (*urgent)());
  /// Collective, but on the way of an exception. `world` must still be there.
  ~Watchdog();
  Watchdog(Watchdog const&) = delete;

  /// Tells all ranks that this one ends the job and has said why. Async-signal-safe; nothing where
  /// there is no watchdog.
  static void announce_exit();

 private:
  class Watch;
  std::unique_ptr<Watch> watch_;
};

}  // namespace lbann::runtime
