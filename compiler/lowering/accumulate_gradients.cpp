// Pass: gradients accumulated over micro-batches, and `accumulate`, which all but the last run.
#include <algorithm>
#include <iterator>

#include "compiler/lowering/copy_entry.hpp"
#include "compiler/lowering/emitter.hpp"
#include "compiler/lowering/lowering_passes.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::compiler {

namespace {

constexpr std::string_view pass = "accumulate_gradients";

/// The gradient of a mean over the mini-batch from those of means over micro-batches: sum +
/// gradient
/// * samples of the micro-batch / samples of the mini-batch. Before the first one there is no sum.
operators::map addition(TensorType const& type) {
  ExpressionBuilder build;
  auto const sum = build.operand(0), gradient = build.operand(1), samples = build.operand(2),
             of_step = build.operand(3), before = build.operand(4);
  auto const first = build.apply(Function::less_equal, {before, build.constant(0)});
  auto const earlier = build.apply(Function::select, {first, build.constant(0), sum});
  operators::map map;
  map.expression = build.finish({earlier + gradient * (samples / of_step)});
  map.shape = type.shape;
  map.compute = compute_type_of(type.type);
  map.types = {type.type};
  return map;
}

/// Lets what writes a gradient write that of the micro-batch, and adds this to the gradient.
void accumulate_in_train(Compilation& compilation) {
  auto& program = compilation.program;
  auto const& state = compilation.state;
  TensorNames names(program);
  auto& entry = *program.entry_point("train");
  std::vector<Instruction> instructions;
  for (auto& instruction : entry.instructions) {
    std::vector<Instruction> additions;
    for (auto& id : instruction.outputs) {
      if (program[id].role != TensorRole::gradient) continue;
      Tensor own;
      own.name = names.unique(program[id].name + "/micro_batch");
      own.type = program[id].type;
      own.origin = program[id].origin;
      own.origin.pass = pass;
      auto const origin = own.origin;
      auto const sum = id;
      id = program.add(std::move(own));
      additions.push_back({addition(program[sum].type),
                           {sum, id, state.mini_batch, state.step_samples, state.samples_before},
                           {sum},
                           origin});
    }
    instructions.push_back(std::move(instruction));
    std::ranges::move(additions, std::back_inserter(instructions));
  }
  entry.instructions = std::move(instructions);
}

}  // namespace

void accumulate_gradients(Compilation& compilation) {
  if (compilation.experiment.accumulate == 1) return;
  accumulate_in_train(compilation);
  EntryCopy copy{"train", std::string(accumulate_entry), std::string(pass)};
  copy_entry(compilation.program, copy);
}

}  // namespace lbann::compiler
