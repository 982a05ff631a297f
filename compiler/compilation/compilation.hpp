// What the passes of a compilation read and change.
#pragma once

#include "compiler/callbacks/callback.hpp"
#include "compiler/compilation/program_state.hpp"
#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/graph/graph.hpp"
#include "compiler/initializers/initializer.hpp"
#include "compiler/optimizers/optimizer.hpp"
#include "schemas/program/program.hpp"

namespace lbann::compiler {

/// What passes work on: the graph and, from `lower_to_operators` on, the program made from it.
struct Compilation {
  Experiment& experiment;  ///< `infer_shapes` completes the dims of its data fields
  LayerTypes const& layer_types;
  InitializerTypes const& initializer_types;
  OptimizerTypes const& optimizer_types;
  CallbackTypes const& callback_types;
  Report& report;
  Graph graph;
  Program program;
  ProgramState state;  ///< after `lower_to_operators`
};

}  // namespace lbann::compiler
