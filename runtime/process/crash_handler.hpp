// The message of a process that crashes.
#pragma once

#include <cstdint>

namespace lbann::runtime {

/// Makes SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT print one message with the `position` and call
/// `before_exit` (async-signal-safe; may be null) before they end the process. The message names
/// `rank` if `ranks` > 1.
void install_crash_handler(std::int64_t rank, std::int64_t ranks, void (*before_exit)());

}  // namespace lbann::runtime
