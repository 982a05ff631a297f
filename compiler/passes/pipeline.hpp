// The ordered list of passes, and running them with a check after each.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "compiler/graph/graph.hpp"
#include "compiler/initializers/initializer.hpp"
#include "compiler/lowering/program_state.hpp"
#include "compiler/optimizers/optimizer.hpp"
#include "schemas/program/program.hpp"

namespace lbann::compiler {

/// What passes work on: the graph and, from `lower_to_operators` on, the program made from it.
struct Compilation {
  Experiment& experiment;  ///< `infer_shapes` completes the dims of its data fields
  LayerTypes const& layer_types;
  InitializerTypes const& initializer_types;
  OptimizerTypes const& optimizer_types;
  Report& report;
  Graph graph;
  Program program;
  ProgramState state;  ///< after `lower_to_operators`
};

/// One pass; on the graph until the program exists.
struct Pass {
  std::string_view name;
  std::string_view summary;  ///< one sentence
  bool on_program;
  void (*run)(Compilation& compilation);
};

/// All passes in the order they run.
std::span<Pass const> pipeline();

/// Runs the passes in order up to and including `stop_after` (empty: all), calling `after` after
/// each. Stops early when the report has errors. A `Problem` is a fault of ours: it names the pass
/// that broke what passes so far had established and shows the graph or program as it then was.
Result<Success> run_passes(Compilation& compilation, std::string_view stop_after = {},
                           std::function<void(Pass const&, Compilation const&)> const& after = {});

}  // namespace lbann::compiler
