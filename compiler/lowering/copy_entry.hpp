// Entry points that do part of what another does, or more than it, with tensors of their own.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>

#include "schemas/program/program.hpp"

namespace lbann::compiler {

/// How to copy an entry point.
struct EntryCopy {
  std::string from, to, pass;
  /// Tensors that stand for others in the copy.
  std::unordered_map<TensorId, TensorId> renamed = {};
  /// Which instructions are copied; all if empty.
  std::function<bool(Instruction const&)> wanted = {};
};

/// Adds the entry point `copy.to` and fills `copy.renamed`: activations that are written there are
/// new tensors `<to>/<name>`, so that none lives from one entry point to the other.
void copy_entry(Program& program, EntryCopy& copy);

}  // namespace lbann::compiler
