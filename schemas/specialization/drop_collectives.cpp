// Collectives over mesh axes of size one vanish.
#include <algorithm>
#include <unordered_map>

#include "schemas/specialization/passes.hpp"

namespace lbann {

namespace {

/// Whether the result of a collective along these axes is its operand itself.
bool trivial(std::vector<std::string> const& axes, Placement const& placement) {
  return std::ranges::all_of(axes, [&](std::string const& name) {
    auto const axis = std::ranges::find(placement.mesh, name, &MeshAxis::name);
    return axis == placement.mesh.end() || axis->size == 1;
  });
}

/// How many entry points use each tensor, and how many instructions of `entry` write it.
struct TensorUses {
  std::vector<std::uint32_t> entries, writes;
};

void drop(Program& program, EntryPoint& entry, TensorUses const& uses, Placement const& placement) {
  std::unordered_map<TensorId, TensorId> renamed;
  auto const private_activation = [&](TensorId id) {
    return program[id].role == TensorRole::activation && uses.entries[id.index()] == 1 &&
           uses.writes[id.index()] == 1;
  };
  std::vector<bool> removed(entry.instructions.size(), false);
  auto const now = [&](TensorId id) {
    for (auto next = renamed.find(id); next != renamed.end(); next = renamed.find(id))
      id = next->second;
    return id;
  };
  for (std::size_t i = 0; i < entry.instructions.size(); ++i) {
    auto& instruction = entry.instructions[i];
    auto const* axes = axes_of_collective(instruction.op);
    if (axes == nullptr || !trivial(*axes, placement)) continue;
    auto const input = now(instruction.inputs[0]), output = now(instruction.outputs[0]);
    if (input == output) {
      removed[i] = true;
    } else if (private_activation(output) && !is_state(program[input].role) &&
               uses.writes[input.index()] <= 1) {
      renamed[output] = input;
      removed[i] = true;
    } else if (private_activation(input) && uses.writes[output.index()] == 1 &&
               !is_state(program[output].role)) {
      renamed[input] = output;
      removed[i] = true;
    } else {
      instruction.op = operators::reshape{program[output].type.shape};
    }
  }
  if (std::ranges::find(removed, true) == removed.end()) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entry.instructions.size(); ++i) {
    if (removed[i]) continue;
    auto& instruction = entry.instructions[i];
    for (auto& id : instruction.inputs) id = now(id);
    for (auto& id : instruction.outputs) id = now(id);
    if (kept != i) entry.instructions[kept] = std::move(instruction);
    ++kept;
  }
  entry.instructions.erase(entry.instructions.begin() + static_cast<std::ptrdiff_t>(kept),
                           entry.instructions.end());
}

}  // namespace

void drop_collectives(Specialization& specialization) {
  auto& program = specialization.program;
  auto const count = program.tensors.size();
  TensorUses uses{std::vector<std::uint32_t>(count), {}};
  for (auto const& entry : program.entry_points) {
    std::vector<bool> seen(count, false);
    auto const use = [&](TensorId id) {
      if (!seen[id.index()]) ++uses.entries[id.index()];
      seen[id.index()] = true;
    };
    for (auto const& instruction : entry.instructions) {
      std::ranges::for_each(instruction.inputs, use);
      std::ranges::for_each(instruction.outputs, use);
    }
  }
  for (auto& entry : program.entry_points) {
    uses.writes.assign(count, 0);
    for (auto const& instruction : entry.instructions)
      for (auto id : instruction.outputs) ++uses.writes[id.index()];
    drop(program, entry, uses, specialization.placement);
  }
}

}  // namespace lbann
