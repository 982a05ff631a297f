// Step 7: the order of execution.
#include <algorithm>

#include "schemas/specialization/steps.hpp"

namespace lbann {

namespace {

constexpr std::ptrdiff_t nowhere = -1;

/// Behind which instruction each may stand: itself, or for an update the last it depends on.
std::vector<std::ptrdiff_t> find_anchors(Specialization const& specialization,
                                         EntryPoint const& entry) {
  auto const& program = specialization.program;
  std::vector<std::ptrdiff_t> written(program.tensors.size(), nowhere), accessed = written;
  std::vector<std::ptrdiff_t> anchors;
  anchors.reserve(entry.instructions.size());
  for (auto const& instruction : entry.instructions) {
    auto const here = static_cast<std::ptrdiff_t>(anchors.size());
    auto anchor = here;
    auto const updates = [&](TensorId id) { return is_state(program[id].role); };
    if (!instruction.outputs.empty() && std::ranges::all_of(instruction.outputs, updates)) {
      anchor = nowhere;
      for (auto id : instruction.inputs)
        specialization.each_storage(
            id, [&](TensorId at) { anchor = std::max(anchor, written[at.index()]); });
      for (auto id : instruction.outputs)
        specialization.each_storage(
            id, [&](TensorId at) { anchor = std::max(anchor, accessed[at.index()]); });
      if (anchor == nowhere) anchor = here;
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

}  // namespace

void order(Specialization& specialization) {
  for (auto& entry : specialization.program.entry_points) {
    auto const anchors = find_anchors(specialization, entry);
    if (std::ranges::is_sorted(anchors)) continue;
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
}

}  // namespace lbann
