// The order of execution.
#include <algorithm>

#include "schemas/specialization/passes.hpp"

namespace lbann {

namespace {

constexpr std::ptrdiff_t no_instruction = -1;

/// Per instruction, whether it needs the outcome of a collective, through others or at once, or
/// gathered factors.
std::vector<bool> find_dependents(Specialization const& specialization, EntryPoint const& entry) {
  std::vector<bool> tainted(specialization.program.tensors.size(), false), dependents;
  dependents.reserve(entry.instructions.size());
  for (auto const& instruction : entry.instructions) {
    bool dependent = instruction.factor_broadcast;
    for (auto const* ids : {&instruction.inputs, &instruction.outputs})
      for (auto id : *ids)
        specialization.each_storage(
            id, [&](TensorId at) { dependent = dependent || tainted[at.index()]; });
    for (auto id : instruction.outputs)
      specialization.each_storage(
          id, [&](TensorId at) { tainted[at.index()] = dependent || is_collective(instruction); });
    dependents.push_back(dependent);
  }
  return dependents;
}

/// Those of `dependents` that no instruction staying behind them needs.
std::vector<bool> find_last(Specialization const& specialization, EntryPoint const& entry,
                            std::vector<bool> const& dependents) {
  std::vector<bool> last(dependents.size(), false);
  std::vector<bool> accessed(specialization.program.tensors.size(), false), written = accessed;
  for (auto i = dependents.size(); i-- > 0;) {
    auto const& instruction = entry.instructions[i];
    bool stays = !dependents[i] || is_collective(instruction);
    for (auto id : instruction.inputs)
      specialization.each_storage(id, [&](TensorId at) { stays = stays || written[at.index()]; });
    for (auto id : instruction.outputs)
      specialization.each_storage(id, [&](TensorId at) { stays = stays || accessed[at.index()]; });
    last[i] = !stays;
    if (!stays) continue;
    for (auto id : instruction.inputs)
      specialization.each_storage(id, [&](TensorId at) { accessed[at.index()] = true; });
    for (auto id : instruction.outputs)
      specialization.each_storage(
          id, [&](TensorId at) { accessed[at.index()] = written[at.index()] = true; });
  }
  return last;
}

/// Behind which instruction each may stand: itself, or for an update of what no collective
/// (`dependents`) gives the last it depends on.
std::vector<std::ptrdiff_t> find_anchors(Specialization const& specialization,
                                         EntryPoint const& entry,
                                         std::vector<bool> const& dependents) {
  auto const& program = specialization.program;
  std::vector<std::ptrdiff_t> written(program.tensors.size(), no_instruction), accessed = written;
  std::vector<std::ptrdiff_t> anchors;
  anchors.reserve(entry.instructions.size());
  for (auto const& instruction : entry.instructions) {
    auto const here = static_cast<std::ptrdiff_t>(anchors.size());
    auto anchor = here;
    auto const updates = [&](TensorId id) { return is_state(program[id].role); };
    if (!instruction.outputs.empty() && !dependents[anchors.size()] &&
        std::ranges::all_of(instruction.outputs, updates)) {
      anchor = no_instruction;
      for (auto id : instruction.inputs)
        specialization.each_storage(
            id, [&](TensorId at) { anchor = std::max(anchor, written[at.index()]); });
      for (auto id : instruction.outputs)
        specialization.each_storage(
            id, [&](TensorId at) { anchor = std::max(anchor, accessed[at.index()]); });
      if (anchor == no_instruction) anchor = here;
    }
    for (auto id : instruction.inputs)
      specialization.each_storage(
          id, [&](TensorId at) { accessed[at.index()] = std::max(accessed[at.index()], anchor); });
    for (auto id : instruction.outputs)
      specialization.each_storage(id, [&](TensorId at) {
        accessed[at.index()] = std::max(accessed[at.index()], anchor);
        written[at.index()] = std::max(written[at.index()], anchor);
      });
    anchors.push_back(anchor);
  }
  return anchors;
}

/// Puts the instructions in the order of their anchors.
void sort(EntryPoint& entry, std::vector<std::ptrdiff_t> const& anchors) {
  if (std::ranges::is_sorted(anchors)) return;
  // Counting sort by anchor. It is stable, and an instruction stands before what hangs on it,
  // since it came first.
  std::vector<std::size_t> begins(anchors.size() + 1, 0);
  for (auto anchor : anchors) ++begins[static_cast<std::size_t>(anchor) + 1];
  for (std::size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
  std::vector<Instruction> ordered(anchors.size());
  for (std::size_t i = 0; i < anchors.size(); ++i)
    ordered[begins[static_cast<std::size_t>(anchors[i])]++] = std::move(entry.instructions[i]);
  entry.instructions = std::move(ordered);
}

}  // namespace

void order(Specialization& specialization) {
  for (auto& entry : specialization.program.entry_points) {
    sort(entry, find_anchors(specialization, entry, find_dependents(specialization, entry)));
    if (std::ranges::none_of(entry.instructions, is_collective)) continue;
    auto const last = find_last(specialization, entry, find_dependents(specialization, entry));
    std::vector<Instruction> ordered;
    ordered.reserve(last.size());
    for (bool wanted : {false, true})
      for (std::size_t i = 0; i < last.size(); ++i)
        if (last[i] == wanted) ordered.push_back(std::move(entry.instructions[i]));
    entry.instructions = std::move(ordered);
  }
}

}  // namespace lbann
