// Softmax with cross entropy, as one operator.
#include <algorithm>

#include "compiler/passes/composites.hpp"

namespace lbann::compiler {

namespace {

/// Joins softmax and the cross entropy of its result in one entry point.
class Joiner {
 public:
  Joiner(Program& program, EntryPoint& entry) : program_(program), entry_(entry) {}

  void run() {
    find_uses();
    std::vector<Instruction> joined;
    joined.reserve(entry_.instructions.size());
    std::vector<bool> dropped(entry_.instructions.size(), false);
    // Pairs by the place the composite takes.
    std::vector<std::vector<Pair>> placed(entry_.instructions.size());
    for (std::size_t i = 0; i < entry_.instructions.size(); ++i)
      if (auto const pair = find_pair(i)) {
        placed[pair->place].push_back(*pair);
        dropped[pair->softmax] = dropped[pair->loss] = true;
      }
    for (std::size_t i = 0; i < entry_.instructions.size(); ++i) {
      for (auto const& pair : placed[i]) join(pair, joined);
      if (!dropped[i]) joined.push_back(std::move(entry_.instructions[i]));
    }
    entry_.instructions = std::move(joined);
  }

 private:
  struct Pair {
    std::size_t softmax = 0, loss = 0;
    std::size_t place = 0;  ///< before this instruction
  };

  void find_uses() {
    written_.assign(program_.tensors.size(), 0);
    readers_.assign(program_.tensors.size(), {});
    for (std::size_t i = 0; i < entry_.instructions.size(); ++i) {
      auto const& instruction = entry_.instructions[i];
      for (auto const output : instruction.outputs) written_[output.index()] = i + 1;
      for (auto const input : instruction.inputs) readers_[input.index()].push_back(i);
    }
  }

  std::optional<Pair> find_pair(std::size_t index) const {
    auto const& instruction = entry_.instructions[index];
    auto const* softmax = std::get_if<operators::softmax>(&instruction.op);
    if (softmax == nullptr || softmax->logarithm || softmax->axis != 1 || softmax->inner != 0)
      return std::nullopt;
    auto const p = instruction.outputs[0];
    auto const& type = program_[p].type;
    if (is_state(program_[p].role) || is_state(program_[instruction.inputs[0]].role))
      return std::nullopt;
    auto const& readers = readers_[p.index()];
    for (auto const reader : readers) {
      auto const& loss = entry_.instructions[reader];
      if (!is_cross_entropy(loss, p, type)) continue;
      // The composite needs the targets, and stands before the first other reader.
      auto const t = loss.inputs[1];
      if (program_[t].type != type || is_state(program_[t].role)) continue;
      auto const place = std::max(index, written_[t.index()]);
      if (place <= readers.front()) return Pair{index, reader, place};
    }
    return std::nullopt;
  }

  static bool is_cross_entropy(Instruction const& instruction, TensorId p, TensorType const& type) {
    auto const* sum = std::get_if<operators::reduce>(&instruction.op);
    if (sum == nullptr || sum->mode != operators::ReduceMode::sum || sum->type != type.type ||
        sum->compute != type.type || sum->shape != type.shape ||
        sum->axes.size() + 1 != type.shape.rank() || sum->axes.empty() || sum->axes.front() != 1)
      return false;
    return instruction.inputs.size() == 2 && instruction.inputs[0] == p &&
           instruction.inputs[1] != p &&
           sum->expression == operators::softmax_cross_entropy::term();
  }

  void join(Pair const& pair, std::vector<Instruction>& joined) {
    auto const& softmax = entry_.instructions[pair.softmax];
    auto const& loss = entry_.instructions[pair.loss];
    auto const result = loss.outputs[0];
    auto const shape = program_[result].type.shape;
    Tensor per_sample;
    per_sample.name = program_[result].name + "/per_sample";
    per_sample.type = {program_[result].type.type, Shape{shape.extents[0], {1, false}}};
    per_sample.origin = loss.origin;
    per_sample.origin.pass = "recognise_composites";
    auto const id = program_.add(per_sample);
    operators::softmax_cross_entropy op;
    op.minimum = std::get<operators::softmax>(softmax.op).minimum;
    joined.push_back(
        {op, {softmax.inputs[0], loss.inputs[1]}, {softmax.outputs[0], id}, per_sample.origin});
    joined.push_back({operators::reshape{shape}, {id}, {result}, per_sample.origin});
  }

  Program& program_;
  EntryPoint& entry_;
  std::vector<std::size_t> written_;               ///< per tensor: one after who writes it last
  std::vector<std::vector<std::size_t>> readers_;  ///< per tensor, ascending
};

}  // namespace

void join_softmax_cross_entropy(Program& program, EntryPoint& entry) {
  Joiner(program, entry).run();
}

}  // namespace lbann::compiler
