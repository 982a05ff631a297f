// The message of a process that crashes.
#pragma once

#include <cstdint>

namespace lbann::runtime {

/// From now on SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT print one message with the `position`,
/// call `before_exit` (async-signal-safe; may be null), and then end the process as they would
/// have. The message names `rank` if there are several (`ranks`).
void install_crash_handler(std::int64_t rank, std::int64_t ranks, void (*before_exit)());

}  // namespace lbann::runtime
