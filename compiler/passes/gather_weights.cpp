// The pass `gather_weights`: where the parts of sharded weights are put together.
#include <algorithm>
#include <map>
#include <unordered_set>

#include "compiler/lowering/weights_split.hpp"
#include "compiler/passes/converted_weights.hpp"
#include "compiler/passes/program_passes.hpp"

namespace lbann::compiler {

namespace {

bool is_sharded(Tensor const& tensor) {
  return tensor.role == TensorRole::weights && !tensor.distribution.split.empty() &&
         !is_undecided(tensor);
}

/// Whether an instruction works on samples. Others, such as updates and norms of weights, run on
/// the parts that ranks hold.
bool has_samples(Program const& program, Instruction const& instruction) {
  auto const batched = [&](TensorId id) { return program[id].type.shape.has_batch(); };
  return std::ranges::any_of(instruction.inputs, batched) ||
         std::ranges::any_of(instruction.outputs, batched);
}

class Gatherer {
 public:
  explicit Gatherer(Program& program) : program_(program) {
    for (auto const& tensor : program.tensors) names_.insert(tensor.name);
  }

  void run(EntryPoint& entry) {
    std::vector<Instruction> instructions;
    instructions.reserve(entry.instructions.size());
    std::map<TensorId, TensorId> whole;
    bool backward = false;
    converted_.find(entry);
    for (auto& instruction : entry.instructions) {
      // Between its uses in the forward and in the backward pass a copy would be all of the memory
      // that sharding is to save: it is gathered again.
      if (!backward && instruction.origin.pass == "derive_backward") {
        backward = true;
        whole.clear();
      }
      if (has_samples(program_, instruction))
        for (auto& id : instruction.inputs)
          if (is_sharded(program_[converted_.weights_of(id)]))
            id = gathered(id, whole, instruction, instructions);
      for (auto const id : instruction.outputs) whole.erase(id);
      instructions.push_back(std::move(instruction));
    }
    entry.instructions = std::move(instructions);
  }

 private:
  TensorId gathered(TensorId id, std::map<TensorId, TensorId>& whole, Instruction const& reader,
                    std::vector<Instruction>& instructions) {
    auto const [known, added] = whole.emplace(id, TensorId());
    if (!added) return known->second;
    Tensor tensor;
    tensor.name = program_[id].name + "/whole";
    while (!names_.insert(tensor.name).second) tensor.name += "_";
    tensor.type = program_[id].type;
    tensor.origin = reader.origin;
    tensor.origin.pass = "gather_weights";
    Instruction gather{
        operators::all_gather{program_[converted_.weights_of(id)].distribution.split[0]},
        {id},
        {},
        tensor.origin};
    auto const copy = known->second = program_.add(std::move(tensor));
    gather.outputs.push_back(copy);
    instructions.push_back(std::move(gather));
    return copy;
  }

  Program& program_;
  ConvertedWeights converted_{program_};
  std::unordered_set<std::string> names_;
};

}  // namespace

void gather_weights(Program& program) {
  if (std::ranges::none_of(program.tensors, is_sharded)) return;
  Gatherer gatherer(program);
  for (auto& entry : program.entry_points) gatherer.run(entry);
}

}  // namespace lbann::compiler
