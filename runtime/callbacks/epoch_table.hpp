// A table of epochs on a terminal.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "runtime/callbacks/callback.hpp"

namespace lbann::runtime {

/// On the console a row for each epoch, with its objective and metrics in training and validation,
/// its time and the time left; the test at the end; on a terminal, below them, a bar of the epoch
/// in progress. For logs of `LogStyle::table`.
std::unique_ptr<Callback> epoch_table(CallbackContext const& run);

/// The numbers as blocks of eight heights between the least and the largest; a blank for what is
/// not finite.
std::string sparkline(std::span<double const> values);

/// `41.5 ms`, `12 s`, `3:07`, `2:15:00`.
std::string duration_text(double seconds);

}  // namespace lbann::runtime
