// How a rank waits for others: it can find out what it is waiting for, and others see that it
// waits.
#pragma once

#include <functional>

namespace lbann::runtime {

/// Whether this rank has been waiting for others for longer than a moment. Any thread may ask.
bool is_waiting();

/// Called now and then, from any wait for other ranks, with the seconds this one has taken.
void on_long_wait(std::function<void(double seconds)> action);

/// Called all the time from any wait: lets messages go on that others need meanwhile.
void while_waiting(void (*action)());

/// Calls `arrived` until it says so: at first without pause, then leaving the core to others, at
/// last with naps.
void wait_until(std::function<bool()> const& arrived);

}  // namespace lbann::runtime
