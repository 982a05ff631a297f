// One start per reader of the plan, kept until the reader is opened.
#include "schemas/samples/python_workers.hpp"

#include "schemas/data_readers/list.hpp"
#include "schemas/processes/python_interpreter.hpp"

namespace lbann {

namespace {

/// The program of the reader that `record` is of; nothing of one that runs none.
template <std::size_t number = 0>
std::optional<Result<PythonProgram>> program_of(Record const& record, DataPlaces const& places) {
  if constexpr (number < std::variant_size_v<DataReader>) {
    using Reader = std::variant_alternative_t<number, DataReader>;
    if constexpr (Reader::runs_user_code)
      if (auto const reader = from_record<Reader>(record)) return python_program(*reader, places);
    return program_of<number + 1>(record, places);
  } else {
    return std::nullopt;
  }
}

}  // namespace

Result<PythonProcesses> start_python(PythonProgram const& program, OpenContext const& context,
                                     std::int64_t count) {
  PythonProcesses processes;
  for (std::int64_t i = 0; i < count; ++i) {
    auto process =
        PythonProcess::start(program, python_interpreter(context.python), context.user_output);
    if (!process) return process.problem();
    processes.push_back(std::move(process).value());
  }
  return processes;
}

PythonWorkers::PythonWorkers(Plan const& plan, OpenContext const& context) {
  for (auto const& source : plan.data) {
    auto const program = program_of(source.reader.record, context.places);
    // What is not found is told when the reader is opened.
    if (program && program->good())
      started_.push_back({program->value(),
                          start_python(program->value(), context, program->value().num_workers),
                          false});
  }
}

Result<PythonProcesses> PythonWorkers::take(PythonProgram const& program) {
  for (auto& started : started_)
    if (!started.taken && started.program == program) {
      started.taken = true;
      return std::move(started.processes);
    }
  return Problem{"its Python processes were taken by another reader"};
}

}  // namespace lbann
