// Polling waits for other ranks, with hooks for the watchdog and for progress of messages.
#pragma once

#include <functional>

namespace lbann::runtime {

/// Whether this rank waits for others, beyond some first polls. Thread-safe.
bool is_waiting();

/// Sets a function called every 0.1 s of any wait for other ranks, with the seconds waited.
void on_long_wait(std::function<void(double seconds)> action);

/// Sets a function called between the polls of any wait, to progress messages; null: none.
void while_waiting(void (*action)());

/// Polls `arrived` until it is true: first spinning, then yielding the core, at last sleeping.
void wait_until(std::function<bool()> const& arrived);

}  // namespace lbann::runtime
