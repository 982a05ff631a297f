// Inputs, results and state of the program, and entry point `initialize`.
#pragma once

#include "compiler/compilation/compilation.hpp"
#include "compiler/lowering/emitter.hpp"

namespace lbann::compiler {

/// Adds them to the table of tensors.
ProgramState declare_state(Compilation& compilation, TensorNames& names);

/// Weights by their initializers, moments zero, counters, rates and sums at their start. `seed` is
/// not written: the runtime does that before.
void lower_initialize(Compilation& compilation, TensorNames& names);

}  // namespace lbann::compiler
