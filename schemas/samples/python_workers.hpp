// The Python processes of all readers of a plan.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "schemas/plan/plan.hpp"
#include "schemas/samples/python_process.hpp"
#include "schemas/samples/sample_source.hpp"

namespace lbann {

using PythonProcesses = std::vector<std::unique_ptr<PythonProcess>>;

/// Starts `count` processes of a program and waits for none of them.
Result<PythonProcesses> start_python(PythonProgram const& program, OpenContext const& context,
                                     std::int64_t count);

/// Processes started before MPI is: some networks' drivers forbid to start any after it. They
/// import their modules while MPI is set up.
class PythonWorkers {
 public:
  /// Starts `num_workers` processes for every reader of the plan that wants some.
  PythonWorkers(Plan const& plan, OpenContext const& context);

  /// The processes of `program`, or why there are none; to be taken once.
  Result<PythonProcesses> take(PythonProgram const& program);

 private:
  struct Started {
    PythonProgram program;
    Result<PythonProcesses> processes;
    bool taken = false;
  };
  std::vector<Started> started_;
};

}  // namespace lbann
