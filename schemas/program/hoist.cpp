// Small instructions moved up; instructions nobody needs removed.
#include <algorithm>

#include "schemas/program/fuse.hpp"

namespace lbann {

namespace {

constexpr std::ptrdiff_t no_position = -1;
constexpr std::int64_t few_elements = 16;

bool is_small(Instruction const& instruction) {
  if (std::holds_alternative<operators::reshape>(instruction.op)) return true;
  auto const* map = std::get_if<operators::map>(&instruction.op);
  return map != nullptr && !map->shape.has_batch() && map->shape.elements(1) <= few_elements;
}

}  // namespace

void hoist(Program const& program, EntryPoint& entry) {
  auto& instructions = entry.instructions;
  std::vector<std::ptrdiff_t> written(program.tensors.size(), no_position), accessed = written;
  // Behind which instruction each stands: itself, or the last that a small one depends on.
  std::vector<std::ptrdiff_t> anchors;
  anchors.reserve(instructions.size());
  for (auto const& instruction : instructions) {
    auto anchor = static_cast<std::ptrdiff_t>(anchors.size());
    if (is_small(instruction)) {
      anchor = no_position;
      for (auto id : instruction.inputs) anchor = std::max(anchor, written[id.index()]);
      for (auto id : instruction.outputs) anchor = std::max(anchor, accessed[id.index()]);
    }
    for (auto id : instruction.inputs)
      accessed[id.index()] = std::max(accessed[id.index()], anchor);
    for (auto id : instruction.outputs)
      written[id.index()] = accessed[id.index()] = std::max(accessed[id.index()], anchor);
    anchors.push_back(anchor);
  }
  // A stable counting sort: an instruction stands before what hangs on it, since it came first.
  std::vector<std::size_t> begins(anchors.size() + 2, 0);
  for (auto anchor : anchors) ++begins[static_cast<std::size_t>(anchor + 2)];
  for (std::size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
  std::vector<Instruction> ordered(instructions.size());
  for (std::size_t i = 0; i < anchors.size(); ++i)
    ordered[begins[static_cast<std::size_t>(anchors[i] + 1)]++] = std::move(instructions[i]);
  instructions = std::move(ordered);
}

void remove_dead(Program const& program, EntryPoint& entry) {
  auto& instructions = entry.instructions;
  std::vector<bool> read(program.tensors.size(), false), dead(instructions.size(), false);
  for (std::size_t i = instructions.size(); i-- > 0;) {
    auto const& instruction = instructions[i];
    dead[i] =
        std::none_of(instruction.outputs.begin(), instruction.outputs.end(), [&](TensorId id) {
          return read[id.index()] || program[id].role != TensorRole::activation;
        });
    if (!dead[i])
      for (auto id : instruction.inputs) read[id.index()] = true;
  }
  std::size_t index = 0;
  std::erase_if(instructions, [&](Instruction const&) { return dead[index++]; });
}

}  // namespace lbann
