// The charts of a report.
#pragma once

#include <vector>

#include "runtime/report/chart.hpp"
#include "runtime/report/run_history.hpp"

namespace lbann::runtime {

/// Objective, metrics, learning rates and times of the runs, by epochs and by steps; those of which
/// some run has a number.
std::vector<Chart> curves_of(std::vector<RunHistory> const& runs);

}  // namespace lbann::runtime
