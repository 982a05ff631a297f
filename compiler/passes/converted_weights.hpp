// Weights as products read them in another type than they are kept in.
#pragma once

#include <unordered_map>

#include "schemas/program/program.hpp"

namespace lbann::compiler {

/// Copies of weights that maps of an entry point convert to another type: copy -> weights. They lie
/// as the weights do, and are read in their place.
class ConvertedWeights {
 public:
  explicit ConvertedWeights(Program const& program) : program_(program) {}

  /// Looks at all instructions of `entry`, and forgets those of others.
  void find(EntryPoint const& entry) {
    weights_.clear();
    for (auto const& instruction : entry.instructions) {
      auto const* map = std::get_if<operators::map>(&instruction.op);
      if (map == nullptr || instruction.inputs.size() != 1) continue;
      auto const& nodes = map->expression.nodes;
      auto const& input = program_[instruction.inputs[0]];
      bool const converts = nodes.size() == 1 && nodes[0].kind == Node::Kind::operand &&
                            instruction.outputs.size() == 1;
      if (converts && input.role == TensorRole::weights && input.type.shape == map->shape &&
          !is_state(program_[instruction.outputs[0]].role))
        weights_[instruction.outputs[0]] = instruction.inputs[0];
    }
  }

  bool contains(TensorId id) const { return weights_.contains(id); }

  /// The weights that `id` is a copy of, or `id`.
  TensorId weights_of(TensorId id) const {
    auto const found = weights_.find(id);
    return found == weights_.end() ? id : found->second;
  }

 private:
  Program const& program_;
  std::unordered_map<TensorId, TensorId> weights_;
};

}  // namespace lbann::compiler
