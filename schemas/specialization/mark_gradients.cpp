// What is summed for an update lies, and travels, as the gradient of its weights.
#include "schemas/specialization/passes.hpp"
#include "schemas/specialization/summed_updates.hpp"

namespace lbann {

namespace {

/// Weights whose gradient some instruction touches.
std::vector<bool> with_gradient(Program const& program) {
  std::vector<bool> found(program.tensors.size(), false);
  for (auto const& entry : program.entry_points)
    for (auto const& instruction : entry.instructions)
      for (auto const* ids : {&instruction.inputs, &instruction.outputs})
        for (auto const id : *ids)
          if (program[id].role == TensorRole::gradient) found[program[id].owner.index()] = true;
  return found;
}

}  // namespace

void mark_gradients(Specialization& specialization) {
  auto const& mesh = specialization.mesh;
  if (mesh.size(data_axis) < 2 || mesh.ranks() != mesh.size(data_axis)) return;
  auto& program = specialization.program;
  auto const taken = with_gradient(program);
  for (auto const& update : summed_updates(program)) {
    auto& sum = program[update.whole];
    if (sum.role != TensorRole::activation || update.parts == update.whole ||
        taken[update.weights.index()])
      continue;
    sum.role = TensorRole::gradient;
    sum.owner = update.weights;
  }
}

}  // namespace lbann
