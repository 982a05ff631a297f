// Wishes of the user and of the batch system to end early.
#pragma once

#include <csignal>

namespace lbann::runtime {

/// While one exists, SIGINT, SIGTERM and SIGUSR1 (a batch system's warning) are noted instead of
/// ending the process; a second SIGINT ends it at once. One at a time.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(SignalWatch const&) = delete;

  /// The signal that came, or 0.
  static int received();

 private:
  struct sigaction before_interrupt_ {};
  struct sigaction before_terminate_ {};
  struct sigaction before_warning_ {};
};

}  // namespace lbann::runtime
