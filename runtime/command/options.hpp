// The options of lbann-run, in groups.
#pragma once

#include <string>
#include <vector>

#include "runtime/command/command_line.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace lbann::runtime {

/// Each adds options that write to `line`, which must outlive `app`.
void add_run_options(CLI::App& app, CommandLine& line);
void add_feeding_options(CLI::App& app, CommandLine& line);
void add_weights_options(CLI::App& app, CommandLine& line);
void add_checkpoint_options(CLI::App& app, CommandLine& line);
void add_inspection_options(CLI::App& app, CommandLine& line);
void add_prediction_options(CLI::App& app, CommandLine& line);
void add_data_options(CLI::App& app, CommandLine& line);
void add_report_options(CLI::App& app, CommandLine& line);
void add_job_options(CLI::App& app, CommandLine& line);

/// Refuses `task`, which trains nothing, beside options that are about training.
void exclude_from_training(CLI::App& app, CLI::Option& task);

/// The words of a command line without the options of the job.
std::vector<std::string> command_of_job(CLI::App const& app, int argc, char** argv);

}  // namespace lbann::runtime
