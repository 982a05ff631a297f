// Collects the collectives of every entry point.
#include "schemas/reports/messages.hpp"

#include "schemas/specialization/exchange.hpp"
#include "schemas/specialization/specialization.hpp"

namespace lbann {

std::vector<EntryMessages> report_messages(SpecializedProgram const& program) {
  std::vector<EntryMessages> report;
  for (auto const& entry : program.entries) {
    auto& told = report.emplace_back();
    told.entry = entry.name;
    for (auto const& message : entry.messages) {
      bool const sum = message.kind == Message::Kind::collective;
      auto const& instruction = entry.instructions[sum ? message.posted : message.needed];
      MessageInfo info;
      info.kind = sum ? name_of(instruction.op) : "gather";
      if (message.kind == Message::Kind::barrier) info.kind = "shared_sum";
      info.layer = instruction.origin.name;
      auto const add = [&](TensorId id) {
        auto const& tensor = program.tensors[id.index()];
        info.tensor += (info.tensor.empty() ? "" : ", ") + tensor.name;
        info.bytes += tensor.type.shape.elements(program.samples(id, program.mini_batch)) *
                      static_cast<std::int64_t>(bytes_of(tensor.type.type));
      };
      add(instruction.inputs[0]);
      if (message.kind == Message::Kind::factors) add(instruction.inputs[1]);
      if (message.kind == Message::Kind::barrier)
        info.bytes = bytes_of_other_ranks(program, entry, message.needed);
      if (sum && !is_sum(instruction)) {
        // What leaves this rank, instead of what it holds.
        auto const element = static_cast<std::int64_t>(
            bytes_of(program.tensors[instruction.inputs[0].index()].type.type));
        info.bytes = 0;
        for (auto const& piece : exchange_of(program, instruction, program.mini_batch).sends) {
          if (piece.peer == program.rank) continue;
          info.sends.push_back(piece.elements * element);
          info.bytes += info.sends.back();
        }
      }
      told.bytes += info.bytes;
      told.messages.push_back(std::move(info));
    }
  }
  return report;
}

}  // namespace lbann
