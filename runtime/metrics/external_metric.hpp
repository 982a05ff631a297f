// Metrics computed by other programs.
#pragma once

#include <cstdint>
#include <filesystem>

#include "schemas/plan/plan.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// Runs the program or the Python function of `metric` (its `external`) as LBANN does, and returns
/// the number it prints: in `output_folder`, where callbacks write, with the path there that files
/// of the model lie below, `trainer0/model0`. Problems name the metric's line and the output. NaN
/// if a signal ends the run before there is a number.
Result<double> evaluate_external_metric(Measure const& metric, Plan const& plan,
                                        std::filesystem::path const& output_folder,
                                        std::int64_t trainer);

}  // namespace lbann::runtime
