// Signals by which users and batch systems end a run early.
#pragma once

#include <csignal>
#include <string_view>

namespace lbann::runtime {

/// Makes SIGINT, SIGTERM and SIGUSR1 end the process at once, with the exit code of a run that is
/// ended early, while no `SignalWatch` exists: there is nothing to save. Before there was one
/// SIGUSR1 ends it with `exit_failed`, as a job that is requeued without gaining a step would be so
/// for ever. `prints`: whether this process prints a message on standard error. `before_exit` is
/// called first; it must be async-signal-safe.
void end_at_signals(bool prints, void (*before_exit)());

/// E.g. `SIGTERM`.
std::string_view name_of_signal(int signal);

/// The exit code of a run that this signal has ended early.
int exit_code_of_signal(int signal);

/// While one exists, SIGINT, SIGTERM and SIGUSR1 (a batch system's warning) are recorded instead of
/// ending the process; a second SIGINT ends it at once. One at a time.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(SignalWatch const&) = delete;

  /// The signal received, or 0.
  static int received();

 private:
  struct sigaction before_interrupt_ {};
  struct sigaction before_terminate_ {};
  struct sigaction before_warning_ {};
};

}  // namespace lbann::runtime
