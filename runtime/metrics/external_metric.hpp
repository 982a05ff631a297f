// Metrics computed by other programs.
#pragma once

#include <filesystem>

#include "schemas/plan/plan.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// Runs the program or the Python function of `metric` (its `external`) with the work directory of
/// the run, and returns the number it prints. Problems name the metric's line and the output. NaN
/// if a signal ends the run before there is a number.
Result<double> evaluate_external_metric(Measure const& metric, Plan const& plan,
                                        std::filesystem::path const& work_directory);

}  // namespace lbann::runtime
