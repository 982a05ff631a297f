// One start per reader of the plan, kept until the reader is opened.
#include "runtime/data/python_workers.hpp"

#include <filesystem>

#include "schemas/processes/python_interpreter.hpp"

namespace lbann::runtime {

namespace {

Result<std::string> find_module_folder(std::string const& folder, std::string const& data_root) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (folder.empty()) return std::string(".");
  for (auto const& place : {fs::path(data_root), fs::path()}) {
    auto const candidate = place / folder;
    if (fs::is_directory(candidate, error)) return candidate.string();
  }
  return Problem{"there is no folder `" + folder +
                 "`; relative paths are looked up in --data-root, then in the working directory"};
}

}  // namespace

Result<PythonProcesses> start_python(data_readers::python const& reader,
                                     std::string const& data_root, std::string const& interpreter) {
  auto const folder = find_module_folder(reader.module_dir, data_root);
  if (!folder) return folder.problem();
  PythonProcesses processes;
  for (std::int64_t i = 0; i < reader.num_workers; ++i) {
    auto process = PythonProcess::start(reader, folder.value(), python_interpreter(interpreter));
    if (!process) return process.problem();
    processes.push_back(std::move(process).value());
  }
  return processes;
}

PythonWorkers::PythonWorkers(Plan const& plan, std::string const& data_root,
                             std::string const& interpreter) {
  for (auto const& source : plan.data) {
    auto const reader = from_record<data_readers::python>(source.reader.record);
    if (reader)
      started_.push_back(
          {source.reader.record, start_python(*reader, data_root, interpreter), false});
  }
}

Result<PythonProcesses> PythonWorkers::take(data_readers::python const& reader) {
  auto const record = to_record(reader);
  for (auto& started : started_)
    if (!started.taken && started.reader == record) {
      started.taken = true;
      return std::move(started.processes);
    }
  return Problem{"its Python processes were taken by another reader"};
}

}  // namespace lbann::runtime
