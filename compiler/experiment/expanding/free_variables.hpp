// What an experiment could use, whatever the values of its variables.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "compiler/experiment/expanding/modules.hpp"

namespace lbann::compiler {

struct FreeVariables {
  using Names = std::set<std::string, std::less<>>;

  /// Modules that calls reach from the model's layers, directly or through other modules. A call
  /// whose module an expression tells may reach any; one that is switched off by `false` itself,
  /// not by an expression, reaches none.
  Names modules;
  /// Names in expressions, of variables or not, outside of modules that nothing reaches.
  Names names;
};

/// Of a document before anything of it is written out.
FreeVariables free_variables_of(Node const& root, ModuleTable const& modules);

}  // namespace lbann::compiler
