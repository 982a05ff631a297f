// Pass: entry points `objective.<mode>` and `gradients.<mode>`, where a callback checks gradients.
#include "compiler/graph/check_callbacks.hpp"
#include "compiler/lowering/copy_entry.hpp"
#include "compiler/lowering/lowering_passes.hpp"
#include "schemas/callbacks/execution_modes.hpp"

namespace lbann::compiler {

namespace {

bool has_data(Experiment const& experiment, ExecutionMode role) {
  for (auto const& reader : experiment.readers)
    if (reader.role == role) return true;
  return false;
}

/// Has all tensors that `entry` makes, and `copy` added, stored in the type they are computed in:
/// differences of the objective are far below what 16 bits tell apart.
void store_as_computed(Program& program, EntryPoint& entry, EntryCopy const& copy) {
  for (auto const& [original, own] : copy.renamed) {
    auto& type = program[own].type.type;
    type = compute_type_of(type);
  }
  for (auto& instruction : entry.instructions)
    if (auto* const map = std::get_if<operators::map>(&instruction.op))
      for (auto& type : map->types) type = compute_type_of(type);
}

/// Copies what `objective` depends on, state being as it is. It becomes the result `objective`.
void emit_objective(Compilation& compilation, std::string const& mode, TensorId objective) {
  constexpr std::string_view pass = "emit_gradient_checks";
  auto& program = compilation.program;
  auto const wanted = needed_for(program, *program.entry_point(mode), std::span(&objective, 1));
  EntryCopy copy{mode, "objective." + mode, std::string(pass)};
  copy.renamed = {{objective, compilation.state.objective.step_value}};
  copy.wanted = [&](Instruction const& instruction) { return wanted.contains(&instruction); };
  copy_entry(program, copy);
  store_as_computed(program, *program.entry_point(copy.to), copy);
  EntryCopy gradients{"objective." + mode, "gradients." + mode, std::string(pass)};
  copy_entry(program, gradients);
}

}  // namespace

void emit_gradient_checks(Compilation& compilation) {
  auto const& experiment = compilation.experiment;
  bool train = false, evaluate = false;
  for (auto const* callback : all_callbacks(experiment)) {
    auto const* type = compilation.callback_types.find(callback->type->name);
    if (type == nullptr) continue;
    auto const modes = type->observes(callback->object.get()).gradient_checks;
    if (!modes) continue;
    auto const acts = [&](ExecutionMode mode) {
      return callbacks::acts_in(*modes, mode) && has_data(experiment, mode);
    };
    train = train || acts(ExecutionMode::training);
    // A part of the training data may be held back for validation: then there is no reader.
    evaluate = evaluate || callbacks::acts_in(*modes, ExecutionMode::validation) ||
               acts(ExecutionMode::testing);
  }
  auto const& state = compilation.state;
  if (train) emit_objective(compilation, "train", state.objective.step_value);
  if (evaluate) emit_objective(compilation, "evaluate", state.evaluated_objective);
}

}  // namespace lbann::compiler
