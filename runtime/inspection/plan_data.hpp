// All data of a plan, opened.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/data/splits.hpp"
#include "runtime/run_options.hpp"
#include "schemas/samples/python_workers.hpp"

namespace lbann::runtime {

/// The plan of a run and the samples of every role, those for predictions included, in their order
/// in the data.
class PlanData {
 public:
  /// Problems name the plan, or the file of the data and the line of the experiment.
  static Result<std::unique_ptr<PlanData>> open(RunOptions const& run);

  Plan const& plan() const { return plan_; }
  /// By the names of roles: `train`, `validate`, ...
  std::vector<std::pair<std::string, Split>>& splits() { return splits_; }

  /// Reads fields of a sample of `split` to `columns`; the problem names reader and line.
  Result<Success> read(Split const& split, std::int64_t index,
                       std::span<FieldColumn const> columns) const;

 private:
  Plan plan_;
  Plan predictions_;  ///< the readers whose samples no run takes
  std::unique_ptr<PythonWorkers> python_;
  std::vector<std::pair<std::string, Split>> splits_;
};

}  // namespace lbann::runtime
