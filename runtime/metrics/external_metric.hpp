// Metrics that other programs tell about a run.
#pragma once

#include <filesystem>

#include "schemas/plan/plan.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// Asks the program or the Python function of `metric` (its `external`) for a number, with the work
/// directory of the run. Problems name the metric's line and what the program said instead. Not a
/// number where a signal ends the run before there is an answer.
Result<double> ask(Measure const& metric, Plan const& plan,
                   std::filesystem::path const& work_directory);

}  // namespace lbann::runtime
