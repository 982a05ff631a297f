// Collects the collectives of every entry point.
#include "schemas/reports/messages.hpp"

namespace lbann {

std::vector<EntryMessages> report_messages(SpecializedProgram const& program) {
  std::vector<EntryMessages> report;
  for (auto const& entry : program.entries) {
    auto& told = report.emplace_back();
    told.entry = entry.name;
    for (auto const& instruction : entry.instructions) {
      if (!std::holds_alternative<operators::all_reduce>(instruction.op)) continue;
      auto const& tensor = program.tensors[instruction.inputs[0].index()];
      auto const bytes = tensor.type.shape.elements(program.largest_batch) *
                         static_cast<std::int64_t>(bytes_of(tensor.type.type));
      told.messages.push_back(
          {std::string(name_of(instruction.op)), instruction.origin.name, tensor.name, bytes});
      told.bytes += bytes;
    }
  }
  return report;
}

}  // namespace lbann
