// What a process says when it is ended by a fault.
#pragma once

#include <cstdint>

namespace lbann::runtime {

/// From now on SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT print one message with the instruction
/// that was executed, call `goodbye` (async-signal-safe; null: nothing), and then end the process
/// as they would have. `rank` is named if there are several (`ranks`).
void tell_fatal_signals(std::int64_t rank, std::int64_t ranks, void (*goodbye)());

}  // namespace lbann::runtime
