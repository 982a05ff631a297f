// What a run has left in its folder, for a report.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "schemas/plan/plan.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// Numbers by the names that metrics.jsonl has for them; NaN stands for `null`.
using NamedNumbers = std::map<std::string, double>;

/// A line of a step in metrics.jsonl.
struct StepLine {
  std::int64_t step = 0;
  double objective = 0;
  NamedNumbers learning_rates;
};

/// A line of a pass.
struct PassLine {
  ExecutionMode mode = ExecutionMode::training;
  std::int64_t epoch = 0;
  std::int64_t samples = 0;
  double seconds = 0, waited = 0;
  double objective = 0;
  bool complete = true;
  NamedNumbers metrics;
};

/// A line of provenance.jsonl.
struct StartLine {
  std::string time, program, device, directory;
  std::vector<std::string> libraries, command, hosts;
  std::int64_t ranks = 1, threads = 1;
  bool resumed = false;
};

/// A file of a callback, as it was declared to be reported.
struct FoundFile {
  std::int64_t epochs = 0;  ///< finished when it was written; 0: at the test
  std::string title;
  std::filesystem::path path;
};

struct RunHistory {
  std::string name;  ///< of its folder
  std::filesystem::path folder;
  std::string model;  ///< empty: `plan_problem` says why
  std::int64_t parameters = 0;
  std::map<std::string, std::string> units;  ///< of metrics
  std::vector<StepLine> steps;
  std::vector<PassLine> passes;
  std::vector<StartLine> starts;  ///< none: the run is older than provenance.jsonl
  std::vector<FoundFile> confusion_matrices, images;
  std::string plan_problem;

  std::int64_t epochs() const;  ///< that were trained
};

/// Reads `folder`, that of a run or of a trainer in one. A last line of metrics.jsonl that is cut
/// short, as a run that goes on leaves it, is left out; problems name the file and the line.
Result<RunHistory> read_history(std::filesystem::path const& folder);

/// The folders of `folder` with a metrics.jsonl: itself, or trainer0, trainer1, ... in it. A
/// problem if there are none.
Result<std::vector<std::filesystem::path>> folders_of_run(std::filesystem::path const& folder);

}  // namespace lbann::runtime
