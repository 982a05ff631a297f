// Copies of entry points: the same instructions on activations of their own.
#include "compiler/lowering/copy_entry.hpp"

#include "schemas/expression/builder.hpp"

namespace lbann::compiler {

void copy_entry(Program& program, EntryCopy& copy) {
  auto const* from = program.entry_point(copy.from);
  if (from == nullptr) return;
  // Names that new ones might meet.
  std::unordered_set<std::string> taken;
  for (auto const& tensor : program.tensors)
    if (tensor.name.starts_with(copy.to)) taken.insert(tensor.name);
  auto const own = [&](TensorId id) {
    auto const found = copy.renamed.find(id);
    return found == copy.renamed.end() ? id : found->second;
  };
  EntryPoint entry{copy.to, {}};
  entry.instructions.reserve(from->instructions.size());
  for (auto const& original : from->instructions) {
    if (copy.wanted && !copy.wanted(original)) continue;
    auto instruction = original;
    for (auto& id : instruction.inputs) id = own(id);
    for (auto& id : instruction.outputs) {
      if (program[id].role == TensorRole::activation && !copy.renamed.contains(id)) {
        auto tensor = program[id];
        tensor.name = copy.to + "/" + tensor.name;
        while (!taken.insert(tensor.name).second) tensor.name += "_";
        tensor.origin.pass = copy.pass;
        copy.renamed.emplace(id, program.add(std::move(tensor)));
      }
      id = own(id);
    }
    instruction.origin.pass = copy.pass;
    entry.instructions.push_back(std::move(instruction));
  }
  program.entry_points.push_back(std::move(entry));
}

TensorId WidenedTensors::of(TensorId tensor) {
  auto const given = program_[tensor].type;
  if (!is_sixteen_bit(given.type)) return tensor;
  auto const [place, is_new] = known_.try_emplace(tensor);
  if (!is_new) return place->second;
  auto const type = compute_type_of(given.type);
  Tensor copy = program_[tensor];
  copy.name += "/" + std::string(name_of(type));
  copy.type.type = type;
  copy.origin.pass = pass_;
  auto const origin = copy.origin;
  place->second = program_.add(std::move(copy));
  ExpressionBuilder build;
  operators::map map{build.finish({build.operand(0)}), given.shape, type, {type}};
  program_.entry_point(entry_)->instructions.push_back(
      {std::move(map), {tensor}, {place->second}, origin});
  return place->second;
}

std::unordered_set<Instruction const*> needed_for(Program const& program, EntryPoint const& entry,
                                                  std::span<TensorId const> values) {
  std::vector<bool> needed(program.tensors.size(), false);
  for (auto const id : values) needed[id.index()] = true;
  std::unordered_set<Instruction const*> wanted;
  for (auto i = entry.instructions.size(); i-- > 0;) {
    auto const& instruction = entry.instructions[i];
    bool any = false;
    for (auto const id : instruction.outputs)
      any = any || (needed[id.index()] && !is_state(program[id].role));
    if (!any) continue;
    wanted.insert(&instruction);
    for (auto const id : instruction.inputs) needed[id.index()] = true;
  }
  return wanted;
}

}  // namespace lbann::compiler
