// The Python processes of all readers of a plan.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/data/python_process.hpp"
#include "schemas/plan/plan.hpp"

namespace lbann::runtime {

using PythonProcesses = std::vector<std::unique_ptr<PythonProcess>>;

/// Starts `num_workers` processes for a reader; its folder is looked up in `data_root` if that is
/// not empty, then in the working directory.
Result<PythonProcesses> start_python(data_readers::python const& reader,
                                     std::string const& data_root, std::string const& interpreter);

/// Processes started before MPI is: some networks' drivers forbid to start any after it. They
/// import their modules while MPI is set up.
class PythonWorkers {
 public:
  PythonWorkers(Plan const& plan, std::string const& data_root, std::string const& interpreter);

  /// The processes of `reader`, or why there are none; to be taken once.
  Result<PythonProcesses> take(data_readers::python const& reader);

 private:
  struct Started {
    Record reader;
    Result<PythonProcesses> processes;
    bool taken = false;
  };
  std::vector<Started> started_;
};

}  // namespace lbann::runtime
