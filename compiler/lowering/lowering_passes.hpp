// Passes that make the program from the graph.
#pragma once

#include "compiler/compilation/compilation.hpp"

namespace lbann::compiler {

/// The program of the graph: inputs, state and entry points `initialize`, `train` (forward,
/// objective, sums; a tensor of role gradient for each trained weights, still unwritten) and
/// `evaluate`.
void lower_to_operators(Compilation& compilation);

/// The entry point `predict`: what the layers that the user wrote compute, without objective and
/// metrics, and which of their outputs are predictions. It writes no state, and stays as it is:
/// what of it is fused depends on the outputs that a run chooses.
void emit_prediction(Compilation& compilation);

/// Appends to `train` what layers do with weights that are not trained, such as running statistics.
void update_state(Compilation& compilation);

/// Where a mini-batch is computed in micro-batches: `train` adds the gradient of the last one to
/// those accumulated before, in the memory of the gradient; the entry point `accumulate`, a copy of
/// it without updates, does so for all others.
void accumulate_gradients(Compilation& compilation);

/// Appends to `train` what optimizers do with the gradients, and the count of steps.
void update_weights(Compilation& compilation);

/// Entry points `objective.<mode>` and `gradients.<mode>`, the latter still without gradients, for
/// each mode in which a callback checks gradients. They write no state.
void emit_gradient_checks(Compilation& compilation);

/// What layers give out that callbacks read; all that the user's layers give out where callbacks
/// read error signals.
std::vector<TensorId> observed_outputs(Compilation const& compilation);

/// Entry points `<entry>.observed` for those of whose steps a callback reads values: the same, and
/// the values as results. Complains of layers that callbacks name and there are not.
void observe(Compilation& compilation);

}  // namespace lbann::compiler
