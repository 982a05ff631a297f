// The task of `lbann-run --report`.
#pragma once

#include <filesystem>
#include <vector>

namespace lbann::runtime {

struct ReportOptions {
  std::vector<std::filesystem::path> folders;  ///< of runs
  std::filesystem::path page = "report.html";
};

/// Writes one HTML page of the runs, whole or not at all, and prints its name. An exit code.
int write_report(ReportOptions const& options);

}  // namespace lbann::runtime
