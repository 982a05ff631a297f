// Where ranks share memory, large gradients are not summed: their factors are broadcast.
#include <algorithm>

#include "schemas/program/fuse.hpp"
#include "schemas/specialization/passes.hpp"
#include "schemas/specialization/summed_updates.hpp"

namespace lbann {

namespace {

/// Gradients of fewer bytes travel as well in a bucket with others.
constexpr std::int64_t least_gradient = std::int64_t{64} << 10;

/// a^T b of [batch, rows] and [batch, columns].
bool is_product_over_samples(Program const& program, Instruction const& instruction) {
  auto const* product = std::get_if<operators::matmul>(&instruction.op);
  if (product == nullptr || !product->epilogue.empty() || !product->transpose_a ||
      product->transpose_b)
    return false;
  return std::ranges::all_of(instruction.inputs, [&](TensorId id) {
    auto const& extents = program[id].type.shape.extents;
    return extents.size() == 2 && extents[0] == batch_extent && !extents[1].batch;
  });
}

/// Whether every rank gets rows, and the factors of a mini-batch are far fewer than the gradient's
/// elements.
bool is_worth_it(Specialization const& specialization, TensorType const& gradient) {
  auto const ranks = specialization.mesh.ranks();
  auto const rows = gradient.shape.extents[0].size, columns = gradient.shape.extents[1].size;
  if (rows * columns * static_cast<std::int64_t>(bytes_of(gradient.type)) < least_gradient)
    return false;
  if (own_rows(rows, ranks, ranks - 1).count() == 0) return false;
  return specialization.placement.mini_batch <= rows * columns / 2 / (rows + columns);
}

/// `program` without these sums.
Program without(Program program, std::vector<SummedUpdate> const& spared) {
  auto& train = *program.entry_point("train");
  std::erase_if(train.instructions, [&](Instruction const& instruction) {
    return is_sum(instruction) &&
           std::ranges::find(spared, instruction.outputs[0], &SummedUpdate::whole) != spared.end();
  });
  for (auto const& sum : spared)
    for (auto& instruction : train.instructions)
      std::ranges::replace(instruction.inputs, sum.whole, sum.parts);
  fuse(program);
  return program;
}

/// The product whose epilogue updates `weights`; null if there is none.
Instruction* updating_product(Program& program, TensorId weights) {
  auto& instructions = program.entry_point("train")->instructions;
  auto const found = std::ranges::find_if(instructions, [&](Instruction const& instruction) {
    return std::holds_alternative<operators::matmul>(instruction.op) &&
           instruction.outputs[0] == weights;
  });
  return found == instructions.end() ? nullptr : &*found;
}

}  // namespace

void gather_factors(Specialization& specialization) {
  auto& program = specialization.program;
  specialization.shared.assign(program.tensors.size(), false);
  if (!shares_memory(specialization)) return;
  auto spared = summed_updates(program);
  std::erase_if(spared, [&](SummedUpdate const& found) {
    auto const& maker = program.entry_point("train")->instructions[found.maker];
    return !is_product_over_samples(program, maker) ||
           !is_worth_it(specialization, program[found.weights].type);
  });
  // An update that cannot be an epilogue needs the whole gradient after all.
  while (!spared.empty()) {
    auto trial = without(program, spared);
    auto const failed = std::erase_if(spared, [&](SummedUpdate const& sum) {
      return updating_product(trial, sum.weights) == nullptr;
    });
    if (failed > 0) continue;
    program = std::move(trial);
    break;
  }
  for (auto const& sum : spared) updating_product(program, sum.weights)->factor_broadcast = true;
  share_state(specialization, spared);
}

}  // namespace lbann
