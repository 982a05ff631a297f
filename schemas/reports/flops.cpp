// Adds up the operators' own counts by the origin of their instructions.
#include "schemas/reports/flops.hpp"

#include <limits>
#include <unordered_map>

namespace lbann {

namespace {

void add(std::int64_t& sum, std::int64_t more) {
  if (__builtin_add_overflow(sum, more, &sum)) sum = std::numeric_limits<std::int64_t>::max();
}

}  // namespace

std::int64_t flops_of(SpecializedProgram const& program, SpecializedEntry const& entry,
                      std::size_t index) {
  auto const& instruction = entry.instructions[index];
  TensorTypes inputs, outputs;
  if (auto const* factors = broadcast_of(entry, index)) {
    // All samples, the rows of this rank.
    for (auto const& operand : factors->inputs) inputs.push_back(operand.type);
    for (auto const& operand : factors->outputs) outputs.push_back(operand.type);
    return flops(instruction.op, {inputs, outputs}, program.mini_batch);
  }
  for (auto const id : instruction.inputs) inputs.push_back(program.tensors[id.index()].type);
  for (auto const id : instruction.outputs) outputs.push_back(program.tensors[id.index()].type);
  return flops(instruction.op, {inputs, outputs},
               program.samples_of(instruction, program.mini_batch));
}

std::vector<EntryFlops> report_flops(SpecializedProgram const& program) {
  std::vector<EntryFlops> report;
  for (auto const& entry : program.entries) {
    auto& told = report.emplace_back();
    told.entry = entry.name;
    std::unordered_map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i < entry.instructions.size(); ++i) {
      auto const count = flops_of(program, entry, i);
      auto const& layer = entry.instructions[i].origin.name;
      auto const place = places.try_emplace(layer, told.layers.size()).first->second;
      if (place == told.layers.size()) told.layers.push_back({layer, 0});
      add(told.layers[place].flops, count);
      add(told.total, count);
    }
  }
  return report;
}

}  // namespace lbann
