// Sigmoid with binary cross entropy, in maps.
#include "compiler/layers/losses/binary_cross_entropy.hpp"
#include "compiler/passes/composites.hpp"

namespace lbann::compiler {

namespace {

Expression of_two(Term (*value)(Term, Term)) {
  ExpressionBuilder build;
  return build.finish({value(build.operand(0), build.operand(1))});
}

Expression logistic() {
  ExpressionBuilder build;
  return build.finish({build.apply(Function::sigmoid, {build.operand(0)})});
}

}  // namespace

void join_sigmoid_cross_entropy(Program const& program, EntryPoint& entry) {
  auto const sigmoid = logistic();
  auto const loss = of_two(&layers::binary_cross_entropy::value);
  // Of each tensor the sigmoid that makes it.
  std::vector<Instruction const*> made_by(program.tensors.size(), nullptr);
  for (auto& instruction : entry.instructions) {
    auto* const map = std::get_if<operators::map>(&instruction.op);
    if (map == nullptr) continue;
    if (map->expression == sigmoid && !is_state(program[instruction.outputs[0]].role))
      made_by[instruction.outputs[0].index()] = &instruction;
    if (map->expression != loss) continue;
    auto const* const found = made_by[instruction.inputs[0].index()];
    if (found == nullptr) continue;
    auto const& maker = std::get<operators::map>(found->op);
    auto const score = found->inputs[0];
    if (maker.shape != map->shape || maker.compute != map->compute || is_state(program[score].role))
      continue;
    map->expression = of_two(&layers::binary_cross_entropy::value_of_score);
    instruction.inputs[0] = score;
    instruction.origin.pass = "recognise_composites";
  }
}

}  // namespace lbann::compiler
