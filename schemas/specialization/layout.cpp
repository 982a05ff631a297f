// How each tensor lies in memory, and whose memory it shares.
#include <algorithm>

#include "schemas/specialization/passes.hpp"

namespace lbann {

namespace {

/// Finds reshapes whose output may lie in its input's memory.
class Aliases {
 public:
  explicit Aliases(Program const& program) { grow(program); }

  /// Takes in the tensors added since.
  void grow(Program const& program) {
    for (auto i = parent_.size(); i < program.tensors.size(); ++i) {
      auto const pinned = arena_of(program.tensors[i]) != Arena::activations;
      parent_.push_back(TensorId(i));
      pinned_.push_back(pinned ? TensorId(i) : TensorId());
    }
  }

  TensorId root(TensorId id) {
    while (parent_[id.index()] != id) {
      parent_[id.index()] = parent_[parent_[id.index()].index()];
      id = parent_[id.index()];
    }
    return id;
  }

  /// The tensor that owns the memory of `id`: the one with a place of its own, if there is any.
  TensorId storage(TensorId id) {
    auto const top = root(id);
    return pinned_[top.index()].valid() ? pinned_[top.index()] : top;
  }

  /// Lets both share memory; false if each has a place of its own.
  bool join(TensorId a, TensorId b) {
    a = root(a);
    b = root(b);
    if (a == b) return true;
    auto const pinned_a = pinned_[a.index()], pinned_b = pinned_[b.index()];
    if (pinned_a.valid() && pinned_b.valid()) return false;
    parent_[b.index()] = a;
    pinned_[a.index()] = pinned_a.valid() ? pinned_a : pinned_b;
    return true;
  }

 private:
  std::vector<TensorId> parent_;
  std::vector<TensorId> pinned_;  ///< per root
};

/// Reshapes of `entry` that must copy: the memory they would share is written while both values
/// are needed. A value is named by the number of writes its memory had seen.
std::vector<bool> find_copies(Program const& program, EntryPoint const& entry) {
  auto const count = program.tensors.size();
  constexpr auto nobody = static_cast<std::size_t>(-1);
  std::vector<bool> copies(entry.instructions.size(), false);
  // Per tensor, along the entry point: whether it was touched, the source its value is a view of,
  // how many writes that source had seen then, and the reshape that made the view.
  std::vector<bool> touched(count, false);
  std::vector<TensorId> source(count);
  std::vector<std::uint32_t> writes(count, 0), seen(count, 0);
  std::vector<std::size_t> maker(count, nobody);
  for (std::size_t i = 0; i < count; ++i) source[i] = TensorId(i);

  for (std::size_t i = 0; i < entry.instructions.size(); ++i) {
    auto const& instruction = entry.instructions[i];
    for (auto id : instruction.inputs) {
      auto const at = id.index();
      if (maker[at] != nobody && seen[at] != writes[source[at].index()]) copies[maker[at]] = true;
      touched[at] = true;
    }
    for (auto id : instruction.outputs) {
      auto const at = id.index();
      if (std::holds_alternative<operators::reshape>(instruction.op)) {
        // What was there before may not be overwritten early, by the producer of the input.
        copies[i] = is_state(program[id].role) || touched[at];
        source[at] = copies[i] ? id : source[instruction.inputs[0].index()];
        maker[at] = copies[i] ? nobody : i;
      } else if (maker[at] != nobody) {
        copies[maker[at]] = true;
        source[at] = id;
        maker[at] = nobody;
      }
      if (source[at] == id) ++writes[at];
      seen[at] = writes[source[at].index()];
      touched[at] = true;
    }
  }
  return copies;
}

bool is_reshape(Instruction const& instruction) {
  return std::holds_alternative<operators::reshape>(instruction.op);
}

/// A map that copies `input`, for `reshape`.
Instruction copying(Specialization& specialization, Instruction const& reshape) {
  auto& program = specialization.program;
  auto const input = program[reshape.inputs[0]].type;
  auto const type = input.type;
  auto const compute = compute_type_of(type) == DataType::f32 ? DataType::f32 : DataType::f64;
  Expression same;
  same.nodes.push_back({Node::Kind::operand});
  same.outputs = {0};
  operators::map copy{same, input.shape, compute, {type}};
  Tensor place;
  place.name = program[reshape.outputs[0]].name + "/copy";
  place.type = input;
  place.origin = reshape.origin;
  auto const id = program.add(std::move(place));
  auto const distribution = specialization.distribution(reshape.inputs[0]);
  specialization.distributions.resize(program.tensors.size());
  specialization.distributions.back() = distribution;
  return {std::move(copy), reshape.inputs, {id}, reshape.origin};
}

}  // namespace

void layout(Specialization& specialization) {
  auto& program = specialization.program;
  Aliases aliases(program);
  for (auto& entry : program.entry_points) {
    if (std::ranges::none_of(entry.instructions, is_reshape)) continue;
    auto const copies = find_copies(program, entry);
    std::vector<Instruction> instructions;
    instructions.reserve(entry.instructions.size());
    for (std::size_t i = 0; i < entry.instructions.size(); ++i) {
      auto& instruction = entry.instructions[i];
      if (is_reshape(instruction) &&
          (copies[i] || !aliases.join(instruction.inputs[0], instruction.outputs[0]))) {
        instructions.push_back(copying(specialization, instruction));
        instruction.inputs = instructions.back().outputs;
        aliases.grow(program);
        aliases.join(instruction.inputs[0], instruction.outputs[0]);
      }
      instructions.push_back(std::move(instruction));
    }
    entry.instructions = std::move(instructions);
  }
  for (std::size_t i = 0; i < program.tensors.size(); ++i)
    specialization.storage.push_back(aliases.storage(TensorId(i)));
}

}  // namespace lbann
