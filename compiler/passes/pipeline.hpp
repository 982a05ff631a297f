// The ordered list of passes, and running them with a check after each.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "compiler/compilation/compilation.hpp"

namespace lbann::compiler {

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
