// Weights that begin as statistics of the training data.
#pragma once

#include "runtime/communication/trainers.hpp"
#include "runtime/execution/executor.hpp"
#include "runtime/observation/log.hpp"
#include "runtime/training/phase.hpp"

namespace lbann::runtime {

/// Collective: each trainer reads all its training samples once, as the first pass has them, and
/// writes the weights of the plan that are statistics of their fields, the same bits on each rank;
/// without such weights, nothing. Problems, on one rank, empty on the others: data that cannot be
/// read, numbers that are not finite, no samples.
Result<Success> take_statistics(Plan const& plan, Executor const& executor, Ranks const& ranks,
                                std::optional<Phase>& training, Log& log);

}  // namespace lbann::runtime
