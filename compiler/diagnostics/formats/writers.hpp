// One function for each format, and what they share.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compiler/diagnostics/formats/located.hpp"

namespace lbann::compiler {

std::string json_lines(std::span<CheckedExperiment const> experiments);
std::string github_commands(std::span<CheckedExperiment const> experiments);
std::string sarif_log(std::span<CheckedExperiment const> experiments);
std::string gitlab_report(std::span<CheckedExperiment const> experiments);
std::string junit_report(std::span<CheckedExperiment const> experiments);

/// Identifies a finding while lines above it come and go: of code, file and message, and of which
/// it is among several that are equal in these. One for each finding of an experiment.
std::vector<std::string> fingerprints(CheckedExperiment const& experiment);

}  // namespace lbann::compiler
