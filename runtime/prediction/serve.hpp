// Predictions for samples that arrive one request after another.
#pragma once

#include "runtime/prediction/prepare.hpp"
#include "runtime/run_options.hpp"

namespace lbann::runtime {

/// Answers each line of standard input by one on standard output, in order, as `json_samples.hpp`
/// has them; a line that is wrong by an error, and goes on. Ends at the end of input, or by a
/// signal after the answer in progress. Everything else goes to standard error. Returns the exit
/// code.
int serve(RunOptions const& run, Result<PreparedPrediction> prepared);

}  // namespace lbann::runtime
