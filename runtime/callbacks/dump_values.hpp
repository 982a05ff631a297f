// Observed values of training steps as text, a file for each.
#pragma once

#include <string>

#include "runtime/callbacks/callback.hpp"

namespace lbann::runtime {

/// Writes all observations of a kind every `interval` steps of training, to files that begin with
/// `basename`. `span`: the callback's place in the experiment.
std::unique_ptr<Callback> dump_values(std::string const& basename, std::int64_t interval,
                                      Observable observable, CallbackContext const& run, Span span);

}  // namespace lbann::runtime
