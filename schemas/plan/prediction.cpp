// Chosen outputs become results, and what nothing needs is left out.
#include "schemas/plan/prediction.hpp"

#include <algorithm>
#include <unordered_set>

namespace lbann {

namespace {

using Tensors = std::unordered_set<std::uint32_t>;

/// Keeps the instructions of `entry` that `needed` depends on, and adds what they read.
void keep_needed(EntryPoint& entry, Tensors& needed) {
  std::vector<Instruction> kept;
  auto const is_needed = [&](TensorId id) { return needed.contains(id.value); };
  for (auto i = entry.instructions.size(); i-- > 0;) {
    auto& instruction = entry.instructions[i];
    if (std::ranges::none_of(instruction.outputs, is_needed)) continue;
    for (auto const id : instruction.inputs) needed.insert(id.value);
    kept.push_back(std::move(instruction));
  }
  std::ranges::reverse(kept);
  entry.instructions = std::move(kept);
}

}  // namespace

Plan prediction_plan(Plan plan, std::vector<ModelOutput>& outputs) {
  auto& program = plan.program;
  Tensors needed;
  std::vector<EntryPoint> entries;
  if (auto* const predict = program.entry_point(predict_entry)) {
    for (auto& output : outputs) {
      auto const source = output.tensor;
      Tensor result;
      result.name = "predicted/" + output.layer + "." + std::to_string(output.index);
      result.type = program[source].type;
      result.role = TensorRole::result;
      result.distribution = program[source].distribution;
      result.origin = program[source].origin;
      auto const shape = result.type.shape;
      auto const origin = result.origin;
      output.tensor = program.add(std::move(result));
      predict->instructions.push_back(
          {operators::reshape{shape}, {source}, {output.tensor}, origin});
      needed.insert(output.tensor.value);
    }
    entries.push_back(std::move(*predict));
    keep_needed(entries.back(), needed);
  }
  if (auto* const initialize = program.entry_point("initialize")) {
    // Weights are loaded.
    auto state = needed;
    for (auto const& weights : plan.weights) state.erase(weights.tensor.value);
    entries.insert(entries.begin(), std::move(*initialize));
    keep_needed(entries.front(), state);
  }
  program.entry_points = std::move(entries);

  auto const unneeded = [&](auto const& owner) { return !needed.contains(owner.tensor.value); };
  std::erase_if(plan.weights, unneeded);
  for (auto& source : plan.data) std::erase_if(source.fields, unneeded);
  plan.objective = {};
  plan.metrics.clear();
  plan.callbacks.clear();
  plan.observations.clear();
  plan.outputs.clear();
  plan.steps_per_epoch = plan.epoch_samples = {};
  return plan;
}

void drop_prediction(Program& program) {
  std::erase_if(program.entry_points,
                [](EntryPoint const& entry) { return entry.name == predict_entry; });
}

}  // namespace lbann
