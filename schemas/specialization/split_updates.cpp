// Sums of gradients in shared memory, and the updates that read them, for this rank's part.
#include <algorithm>
#include <map>

#include "schemas/expression/builder.hpp"
#include "schemas/specialization/passes.hpp"

namespace lbann {

namespace {

class Splitter {
 public:
  Splitter(Specialization& specialization, EntryPoint& entry)
      : specialization_(specialization), program_(specialization.program), entry_(entry) {}

  void run();

 private:
  bool touches_shared(Instruction const& instruction) const;
  /// The gradient that `instruction`, an update, reads in shared memory; invalid for others.
  TensorId shared_gradient(Instruction const& instruction) const;
  TensorId part_of(TensorId whole, IndexRange part, std::int64_t rank);
  void add_sums(TensorId gradient, TensorId own, IndexRange part, bool first);

  Specialization& specialization_;
  Program& program_;
  EntryPoint& entry_;
  std::vector<Instruction> split_;
};

bool Splitter::touches_shared(Instruction const& instruction) const {
  bool touches = false;
  for (auto const* ids : {&instruction.inputs, &instruction.outputs})
    for (auto const id : *ids)
      specialization_.each_storage(
          id, [&](TensorId at) { touches = touches || specialization_.is_shared(at); });
  return touches;
}

TensorId Splitter::shared_gradient(Instruction const& instruction) const {
  if (!std::holds_alternative<operators::map>(instruction.op)) return {};
  bool const updates = std::ranges::any_of(
      instruction.outputs, [&](TensorId id) { return program_[id].role == TensorRole::weights; });
  if (!updates) return {};
  auto const found = std::ranges::find_if(instruction.inputs, [&](TensorId id) {
    return program_[id].role == TensorRole::gradient &&
           specialization_.slots[id.index()].arena == Arena::shared;
  });
  return found == instruction.inputs.end() ? TensorId() : *found;
}

/// Adds the tensor that is `part` of `whole`, of a gradient of what `rank` has computed.
TensorId Splitter::part_of(TensorId whole, IndexRange part, std::int64_t rank) {
  auto slot = specialization_.slots[whole.index()];
  auto const& from = program_[whole];
  auto const element = static_cast<std::int64_t>(bytes_of(from.type.type));
  auto const own = specialization_.placement.rank;
  Tensor tensor;
  tensor.name = from.name + "/part";
  if (rank != own) tensor.name += " of rank " + std::to_string(rank);
  tensor.type = {from.type.type, {{part.size, false}}};
  tensor.role = from.role;
  tensor.owner = from.owner;
  tensor.slot = from.slot;
  tensor.origin = from.origin;
  tensor.origin.pass = "split_updates";
  std::vector<TensorId> covered;
  slot.offset += part.begin * element;
  slot.bytes = part.size * element;
  if (rank == own)
    specialization_.each_storage(whole, [&](TensorId at) {
      auto const& other = specialization_.slots[at.index()];
      if (other.offset < slot.offset + slot.bytes && slot.offset < other.offset + other.bytes)
        covered.push_back(at);
    });
  slot.offset += (rank - own) * specialization_.gradient_block;
  specialization_.slots.push_back(slot);
  specialization_.ranges.push_back(std::move(covered));
  return program_.add(std::move(tensor));
}

/// Adds up `part` of the gradients of all ranks in that of this rank.
void Splitter::add_sums(TensorId gradient, TensorId own, IndexRange part, bool first) {
  auto const ranks = specialization_.mesh.ranks();
  auto const type = program_[gradient].type.type;
  for (std::int64_t next = 0; next < ranks;) {
    Instruction sum;
    sum.inputs = {own};
    sum.outputs = {own};
    sum.origin = program_[own].origin;
    sum.awaits_ranks = first;
    ExpressionBuilder builder(Algebra::verbatim);
    auto term = builder.operand(0);
    for (; next < ranks && sum.inputs.size() < max_operands; ++next) {
      if (next == specialization_.placement.rank) continue;
      term = term + builder.operand(sum.inputs.size());
      sum.inputs.push_back(part_of(gradient, part, next));
    }
    if (sum.inputs.size() == 1) break;
    sum.op = operators::map{builder.finish({term}), program_[own].type.shape, type, {type}};
    split_.push_back(std::move(sum));
    first = false;
  }
}

void Splitter::run() {
  auto const ranks = specialization_.mesh.ranks(), rank = specialization_.placement.rank;
  // Whether this rank has written what others read, or read what others write, since the last time
  // that they have waited for one another.
  bool touched = true;
  for (auto& instruction : entry_.instructions) {
    if (is_sum(instruction) && specialization_.is_shared(instruction.outputs[0])) continue;
    auto const gradient = shared_gradient(instruction);
    if (!gradient.valid()) {
      touched = touched || touches_shared(instruction);
      split_.push_back(std::move(instruction));
      continue;
    }
    auto const shape = program_[gradient].type.shape;
    auto const elements = shape.elements(0);
    auto const part = own_elements(elements, ranks, rank);
    specialization_.split_updates.push_back(elements);
    std::map<TensorId, TensorId> parts;  // what is updated in place is cut once
    for (auto* ids : {&instruction.inputs, &instruction.outputs})
      for (auto& id : *ids) {
        if (program_[id].type.shape != shape) continue;
        auto const [found, added] = parts.try_emplace(id);
        if (added) found->second = part_of(id, part, rank);
        id = found->second;
      }
    add_sums(gradient, parts.at(gradient), part, touched);
    touched = false;
    std::get<operators::map>(instruction.op).shape = {{part.size, false}};
    split_.push_back(std::move(instruction));
  }
  entry_.instructions = std::move(split_);
}

}  // namespace

void split_updates(Specialization& specialization) {
  if (specialization.gradient_block == 0) return;
  for (auto& entry : specialization.program.entry_points)
    if (entry.name == "train") Splitter(specialization, entry).run();
}

}  // namespace lbann
