// Entry points that do part of what another does, or more than it, with tensors of their own.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>

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

/// Copies in f32 of tensors of 16 bits, made at the end of an entry point: what callbacks and users
/// read.
class WidenedTensors {
 public:
  WidenedTensors(Program& program, std::string_view entry, std::string_view pass)
      : program_(program), entry_(entry), pass_(pass) {}

  /// `tensor` itself if it is not of 16 bits.
  TensorId of(TensorId tensor);

 private:
  Program& program_;
  std::string_view entry_, pass_;
  std::unordered_map<TensorId, TensorId> known_;
};

/// The instructions of `entry` that `values` depend on, state being as it is.
std::unordered_set<Instruction const*> needed_for(Program const& program, EntryPoint const& entry,
                                                  std::span<TensorId const> values);

}  // namespace lbann::compiler
