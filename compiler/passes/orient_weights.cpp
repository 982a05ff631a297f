// The pass `orient_weights`: which dimension of split weights lies along which axis of the mesh.
#include <algorithm>

#include "compiler/lowering/weights_split.hpp"
#include "compiler/passes/converted_weights.hpp"
#include "compiler/passes/program_passes.hpp"
#include "schemas/program/distribution.hpp"

namespace lbann::compiler {

namespace {

using Split = std::vector<std::vector<std::string>>;

/// Follows the activations of an entry point and what they are split over beside their mini-batch.
class Orientation {
 public:
  explicit Orientation(Program& program) : program_(program) {
    for (std::size_t i = 0; i < program.tensors.size(); ++i)
      if (is_open(TensorId(i))) ++undecided_;
  }

  void follow(EntryPoint const& entry) {
    if (undecided_ == 0) return;
    axis_.assign(program_.tensors.size(), std::string());
    converted_.find(entry);
    for (auto const& instruction : entry.instructions) {
      auto axis = is_product(instruction) ? product(instruction) : entrywise(instruction);
      for (auto id : instruction.outputs) axis_[id.index()] = axis;
    }
  }

  /// What nothing has decided about is not split; moments and gradients lie as their weights,
  /// unless they are split alone.
  void finish() {
    for (std::size_t i = 0; i < program_.tensors.size(); ++i)
      if (auto& tensor = program_.tensors[i]; is_undecided(tensor))
        tensor.distribution.split.clear();
    for (auto& tensor : program_.tensors)
      if (tensor.owner.valid() && tensor.distribution.split.empty())
        tensor.distribution = program_[tensor.owner].distribution;
  }

 private:
  bool is_open(TensorId id) const { return is_undecided(program_[id]); }

  void decide(TensorId id, Split split) {
    program_[id].distribution.split = std::move(split);
    --undecided_;
  }

  /// A product of a mini-batch and split weights.
  bool is_product(Instruction const& instruction) const {
    auto const* matmul = std::get_if<operators::matmul>(&instruction.op);
    if (matmul == nullptr || matmul->transpose_a) return false;
    if (!program_[instruction.inputs[0]].type.shape.extents[0].batch) return false;
    auto const id = converted_.weights_of(instruction.inputs[1]);
    if (is_open(id)) return true;
    // Sharded weights are split along their first dimension only, and gathered for the product.
    auto const& split = program_[id].distribution.split;
    return program_[id].role == TensorRole::weights && split.size() == 2 &&
           std::ranges::all_of(split, [](auto const& axes) { return axes.size() == 1; });
  }

  /// Gives the axis that outputs are split over.
  std::string product(Instruction const& instruction) {
    auto const id = converted_.weights_of(instruction.inputs[1]);
    bool const outputs_first = std::get<operators::matmul>(instruction.op).transpose_b;
    std::string const rows(MeshAxes::rows), columns(MeshAxes::columns);
    if (is_open(id)) {
      bool const turned = axis_[instruction.inputs[0].index()] == rows;
      std::vector<std::string> const out{turned ? columns : rows}, in{turned ? rows : columns};
      decide(id, outputs_first ? Split{out, in} : Split{in, out});
    }
    return program_[id].distribution.split[outputs_first ? 0 : 1][0];
  }

  /// Of a map the axis of its first operand that has one; operands of one dimension follow it.
  std::string entrywise(Instruction const& instruction) {
    auto const* map = std::get_if<operators::map>(&instruction.op);
    if (map == nullptr && !std::holds_alternative<operators::reshape>(instruction.op)) return {};
    std::string axis;
    for (auto id : instruction.inputs)
      if (axis.empty() && program_[id].type.shape.has_batch()) axis = axis_[id.index()];
    if (map == nullptr) {
      // The last dimension is that of channels and neurons.
      auto const &from = program_[instruction.inputs[0]].type.shape.extents,
                 &to = program_[instruction.outputs[0]].type.shape.extents;
      bool const kept = !from.empty() && !to.empty() && from.back() == to.back();
      return kept ? axis : std::string();
    }
    for (auto id : instruction.inputs)
      if (is_open(id) && program_[id].type.shape.rank() == 1 && !axis.empty() &&
          program_[id].type.shape.extents[0] == map->shape.extents.back())
        decide(id, {{axis}});
    return axis;
  }

  Program& program_;
  std::size_t undecided_ = 0;  ///< weights tensors
  ConvertedWeights converted_{program_};
  std::vector<std::string> axis_;  ///< per tensor: of its dimensions but the mini-batch; or none
};

}  // namespace

void orient_weights(Program& program) {
  Orientation orientation(program);
  for (auto const* name : {"train", "evaluate"})
    if (auto const* entry = program.entry_point(name)) orientation.follow(*entry);
  orientation.finish();
}

}  // namespace lbann::compiler
