// Access to a program's parts.
#include "schemas/program/program.hpp"

#include <algorithm>

namespace lbann {

EntryPoint const* Program::entry_point(std::string_view name) const {
  for (auto const& entry : entry_points)
    if (entry.name == name) return &entry;
  return nullptr;
}

EntryPoint* Program::entry_point(std::string_view name) {
  for (auto& entry : entry_points)
    if (entry.name == name) return &entry;
  return nullptr;
}

TensorId Program::add(Tensor tensor) {
  tensors.push_back(std::move(tensor));
  return TensorId(tensors.size() - 1);
}

namespace {

TensorTypes types_of(Program const& program, std::vector<TensorId> const& ids) {
  TensorTypes types;
  types.reserve(ids.size());
  for (auto id : ids) types.push_back(program[id].type);
  return types;
}

}  // namespace

TensorTypes input_types(Program const& program, Instruction const& instruction) {
  return types_of(program, instruction.inputs);
}

TensorTypes output_types(Program const& program, Instruction const& instruction) {
  return types_of(program, instruction.outputs);
}

bool changes_weights(Program const& program, EntryPoint const& entry) {
  if (entry.name.starts_with("objective.")) return true;
  return std::ranges::any_of(entry.instructions, [&](Instruction const& instruction) {
    return std::ranges::any_of(
        instruction.outputs, [&](TensorId id) { return program[id].role == TensorRole::weights; });
  });
}

}  // namespace lbann
