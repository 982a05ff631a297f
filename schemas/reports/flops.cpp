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

std::vector<EntryFlops> report_flops(SpecializedProgram const& program) {
  std::vector<EntryFlops> report;
  TensorTypes inputs, outputs;
  auto const copy = [&](std::vector<TensorId> const& ids, TensorTypes& types) {
    types.clear();
    for (auto id : ids) types.push_back(program.tensors[id.index()].type);
  };
  auto const take = [](std::vector<PartOperand> const& operands, TensorTypes& types) {
    types.clear();
    for (auto const& operand : operands) types.push_back(operand.type);
  };
  for (auto const& entry : program.entries) {
    auto& told = report.emplace_back();
    told.entry = entry.name;
    std::unordered_map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i < entry.instructions.size(); ++i) {
      auto const& instruction = entry.instructions[i];
      auto samples = program.samples_of(instruction, program.mini_batch);
      if (auto const* factors = broadcast_of(entry, i)) {
        // All samples, the rows of this rank.
        take(factors->inputs, inputs);
        take(factors->outputs, outputs);
        samples = program.mini_batch;
      } else {
        copy(instruction.inputs, inputs);
        copy(instruction.outputs, outputs);
      }
      auto const count = flops(instruction.op, {inputs, outputs}, samples);
      auto const& layer = instruction.origin.name;
      auto const place = places.try_emplace(layer, told.layers.size()).first->second;
      if (place == told.layers.size()) told.layers.push_back({layer, 0});
      add(told.layers[place].flops, count);
      add(told.total, count);
    }
  }
  return report;
}

}  // namespace lbann
