// Sums over arenas and operands, as runtime/execution copies them.
#include "schemas/reports/device.hpp"

#include <numeric>
#include <set>
#include <type_traits>

#include "schemas/operators/operators.hpp"

namespace lbann {

namespace {

/// Fields of samples, of whatever role: all of them are copied for each mini-batch.
std::set<std::size_t> fields_of(Plan const& plan, SpecializedProgram const& program) {
  std::set<std::size_t> fields;
  for (auto const& source : plan.data)
    for (auto const& field : source.fields)
      if (field.tensor.valid() && program.slots[field.tensor.index()].used)
        fields.insert(field.tensor.index());
  return fields;
}

HostInstruction copies_of(SpecializedProgram const& program, Instruction const& instruction) {
  auto const bytes = [&](std::vector<TensorId> const& tensors) {
    std::set<std::pair<Arena, std::int64_t>> places;
    std::int64_t sum = 0;
    for (auto const id : tensors) {
      auto const& slot = program.slots[id.index()];
      if (slot.used && places.emplace(slot.arena, slot.offset).second)
        sum += operators::rules::bytes_of(program.tensors[id.index()].type,
                                          program.samples(instruction, id, program.mini_batch));
    }
    return sum;
  };
  return {std::string(name_of(instruction.op)), instruction.origin.name, bytes(instruction.inputs),
          bytes(instruction.outputs)};
}

}  // namespace

bool runs_on_host(Operator const& op) {
  return std::visit(
      []<class Op>(Op const&) { return std::is_base_of_v<operators::ExternalLibrary, Op>; }, op);
}

DeviceReport report_device(Plan const& plan, SpecializedProgram const& program) {
  DeviceReport report;
  report.bytes =
      std::accumulate(program.arena_bytes.begin(), program.arena_bytes.end(), std::int64_t{0});
  auto const fields = fields_of(plan, program);
  std::int64_t of_samples = 0;
  for (auto const field : fields) of_samples += program.slots[field].bytes;
  auto const numbers = program.arena_bytes[static_cast<std::size_t>(Arena::scalars)];
  for (auto const& entry : program.entries) {
    auto& told = report.entries.emplace_back();
    told.entry = entry.name;
    told.instructions = static_cast<std::int64_t>(entry.instructions.size());
    bool reads_samples = false;
    for (auto const& instruction : entry.instructions) {
      for (auto const id : instruction.inputs)
        reads_samples = reads_samples || fields.contains(id.index());
      if (runs_on_host(instruction.op)) told.on_host.push_back(copies_of(program, instruction));
    }
    told.to_host = numbers;
    if (entry.status.valid()) told.to_host += program.slots[entry.status.index()].bytes;
    told.to_device = told.to_host;
    if (reads_samples) told.to_device += of_samples;
  }
  return report;
}

}  // namespace lbann
