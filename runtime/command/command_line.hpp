// The command line of lbann-run.
#pragma once

#include <cstdint>
#include <variant>

#include "runtime/communication/batch_script.hpp"
#include "runtime/dry_run.hpp"
#include "runtime/prediction/prepare.hpp"
#include "runtime/report/write_report.hpp"
#include "runtime/run_options.hpp"

namespace lbann::runtime {

/// What is to be done with the plan.
enum class Task : std::uint8_t {
  run,
  dry_run,
  batch_script,
  predict,
  serve,
  describe_data,
  pack_data,
  report
};

struct CommandLine {
  Task task = Task::run;
  RunOptions run;
  std::int64_t per_trainer = 0;  ///< ranks that train one model; 0: all
  DryRunConfig dry;
  BatchJob job;  ///< with this command line, without the options of the job
  PredictionOptions prediction;
  struct {
    std::filesystem::path out;
    std::string role;  ///< of the samples; empty: the first that there is
  } pack;
  ReportOptions report;
  bool describe_data = false;
  std::filesystem::path images;  ///< PNG file for the first images of the data; empty: none
};

/// The command line, or an exit code where there is nothing to do: help and version are printed,
/// mistakes told, by the rank that `speaks`.
std::variant<CommandLine, int> parse_command_line(int argc, char** argv, bool speaks);

}  // namespace lbann::runtime
