// One start per reader of the plan, kept until the reader is opened.
#include "schemas/samples/python_workers.hpp"

#include "schemas/processes/python_interpreter.hpp"

namespace lbann {

Result<PythonProcesses> start_python(data_readers::python const& reader, OpenContext const& context,
                                     std::int64_t count) {
  PythonProcesses processes;
  if (count < 1) return processes;
  auto const folder = context.places.find_folder(reader.module_dir);
  if (!folder) return folder.problem();
  for (std::int64_t i = 0; i < count; ++i) {
    auto process = PythonProcess::start(reader, folder.value(), python_interpreter(context.python),
                                        context.user_output);
    if (!process) return process.problem();
    processes.push_back(std::move(process).value());
  }
  return processes;
}

PythonWorkers::PythonWorkers(Plan const& plan, OpenContext const& context) {
  for (auto const& source : plan.data)
    if (auto const reader = from_record<data_readers::python>(source.reader.record))
      started_.push_back(
          {source.reader.record, start_python(*reader, context, reader->num_workers), false});
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

}  // namespace lbann
