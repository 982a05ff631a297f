// The pass `subsample_convolutions`: strided convolutions with windows of one entry, as dense
// convolutions of the entries they see.
#include <algorithm>

#include "compiler/passes/program_passes.hpp"

namespace lbann::compiler {

namespace {

/// A convolution that sees one entry at each position, and skips entries between them.
operators::convolution const* strided_pointwise(Program const& program,
                                                Instruction const& instruction) {
  auto const* op = std::get_if<operators::convolution>(&instruction.op);
  if (op == nullptr) return nullptr;
  auto const& kernel = program[instruction.inputs[1]].type.shape.extents;
  auto const one = [](auto const& extent) { return extent.size == 1; };
  if (!std::all_of(kernel.begin() + 2, kernel.end(), one)) return nullptr;
  if (std::ranges::any_of(op->padding, [](auto padding) { return padding != 0; })) return nullptr;
  return std::ranges::any_of(op->stride, [](auto stride) { return stride > 1; }) ? op : nullptr;
}

/// Entries that `convolution`, at `instruction`, sees of its input: averages of one entry each.
Instruction seen_by(operators::convolution const& convolution, Instruction const& instruction,
                    Program& program) {
  operators::pooling op;
  op.mode = operators::PoolMode::average;
  op.window.assign(convolution.stride.size(), 1);
  op.stride = convolution.stride;
  op.padding = convolution.padding;
  auto const x = instruction.inputs[0];
  auto const& y = program[instruction.outputs[0]];
  Tensor seen;
  seen.name = y.name + "/seen";
  seen.type = program[x].type;
  std::copy(y.type.shape.extents.begin() + 2, y.type.shape.extents.end(),
            seen.type.shape.extents.begin() + 2);
  seen.origin = instruction.origin;
  seen.origin.pass = "subsample_convolutions";
  auto const origin = seen.origin;
  return {std::move(op), {x}, {program.add(std::move(seen))}, origin};
}

}  // namespace

void subsample_convolutions(Program& program) {
  for (auto& entry : program.entry_points) {
    std::vector<Instruction> instructions;
    instructions.reserve(entry.instructions.size());
    for (auto& instruction : entry.instructions) {
      if (auto const* const found = strided_pointwise(program, instruction)) {
        auto const& seen = instructions.emplace_back(seen_by(*found, instruction, program));
        auto dense = *found;
        std::ranges::fill(dense.stride, 1);
        instruction.op = std::move(dense);
        instruction.inputs[0] = seen.outputs[0];
        instruction.origin = seen.origin;
      }
      instructions.push_back(std::move(instruction));
    }
    entry.instructions = std::move(instructions);
  }
}

}  // namespace lbann::compiler
