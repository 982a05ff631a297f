// A whole run that predicts: plan and model in, a file of predictions out.
#pragma once

#include "runtime/communication/communicator.hpp"
#include "runtime/prediction/prepare.hpp"
#include "runtime/run_options.hpp"

namespace lbann::runtime {

/// What readers of a prediction find around them, without Python processes.
OpenContext prediction_context(RunOptions const& run, PreparedPrediction const* prepared);

/// Predicts all samples, in their order, on the ranks of `world`, which take turns at whole blocks
/// of a mini-batch: so the file has the same bytes on any number of ranks. Rank 0 writes it.
/// Problems go to standard error, in one message from one rank. Returns the exit code.
int predict(RunOptions const& run, PredictionOptions const& options, Communicator& world,
            Result<PreparedPrediction> prepared);

}  // namespace lbann::runtime
