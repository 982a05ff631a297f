// Sums over ranks are taken where their parts are made, and a status word travels with
// them.
#include <algorithm>

#include "schemas/specialization/passes.hpp"

namespace lbann {

namespace {

/// How often each tensor is used by entry points, and written and read last within one of them.
class Uses {
 public:
  explicit Uses(Program const& program) : entries_(program.tensors.size(), 0) {
    for (auto const& entry : program.entry_points) {
      std::vector<bool> seen(entries_.size(), false);
      for (auto const& instruction : entry.instructions)
        for (auto const* ids : {&instruction.inputs, &instruction.outputs})
          for (auto id : *ids) {
            if (!seen[id.index()]) ++entries_[id.index()];
            seen[id.index()] = true;
          }
    }
  }

  void look_at(EntryPoint const& entry) {
    writes_.assign(entries_.size(), 0);
    last_read_.assign(entries_.size(), 0);
    for (std::size_t i = 0; i < entry.instructions.size(); ++i) {
      for (auto id : entry.instructions[i].outputs) ++writes_[id.index()];
      for (auto id : entry.instructions[i].inputs) last_read_[id.index()] = i;
    }
  }

  /// Whether `id` is written once, in this entry point alone.
  bool is_private(TensorId id) const {
    return entries_[id.index()] == 1 && writes_[id.index()] == 1;
  }
  std::uint32_t writes(TensorId id) const { return writes_[id.index()]; }
  bool read_after(TensorId id, std::size_t instruction) const {
    return last_read_[id.index()] > instruction;
  }

 private:
  std::vector<std::uint32_t> entries_, writes_;
  std::vector<std::size_t> last_read_;
};

/// Gives the sum the name of its parts, which nobody needs any more, or the parts that of the sum.
void reduce_in_place(Program const& program, EntryPoint& entry, Uses const& uses) {
  std::vector<TensorId> renamed(program.tensors.size());
  for (std::size_t i = 0; i < renamed.size(); ++i) renamed[i] = TensorId(i);
  auto const now = [&](TensorId id) {
    while (renamed[id.index()] != id) id = renamed[id.index()];
    return id;
  };
  auto const moves = [&](TensorId id) {
    return program[id].role == TensorRole::activation && uses.is_private(id);
  };
  bool any = false;
  for (std::size_t i = 0; i < entry.instructions.size(); ++i) {
    auto const& instruction = entry.instructions[i];
    if (!is_sum(instruction)) continue;
    auto const parts = instruction.inputs[0], sum = instruction.outputs[0];
    if (parts == sum || !moves(parts) || uses.read_after(parts, i)) continue;
    if (moves(sum))
      renamed[sum.index()] = now(parts);
    else if (uses.writes(sum) == 1 && !is_state(program[sum].role) && now(parts) == parts)
      renamed[parts.index()] = sum;
    any = true;
  }
  if (!any) return;
  for (auto& instruction : entry.instructions)
    for (auto* ids : {&instruction.inputs, &instruction.outputs})
      for (auto& id : *ids) id = now(id);
}

/// Adds the sum of the status words over all ranks, before the first sum that can take it along.
TensorId add_status(Program& program, EntryPoint& entry, std::vector<std::string> const& axes) {
  Tensor status;
  status.name = entry.name + "/status";
  status.type = {DataType::f64, {{status_words}}};
  status.origin.pass = "reduce_in_place";
  auto const companion = std::ranges::find_if(entry.instructions, [&](Instruction const& sum) {
    return is_sum(sum) && *axes_of_collective(sum.op) == axes &&
           program[sum.inputs[0]].type.type == DataType::f64 &&
           program[sum.inputs[0]].role == TensorRole::activation;
  });
  auto const at = companion == entry.instructions.end() ? entry.instructions.begin() : companion;
  auto const id = program.add(std::move(status));
  entry.instructions.insert(at, {operators::all_reduce{axes}, {id}, {id}, program[id].origin});
  return id;
}

}  // namespace

void reduce_in_place(Specialization& specialization) {
  auto& program = specialization.program;
  Uses uses(program);
  for (auto& entry : program.entry_points) {
    uses.look_at(entry);
    reduce_in_place(program, entry, uses);
  }
  bool const several = specialization.mesh.ranks() > 1;
  auto const axes = specialization.axes.names_of(specialization.batch);
  for (auto& entry : program.entry_points)
    specialization.status.push_back(several && entry.name != "initialize" && !entry.timing
                                        ? add_status(program, entry, axes)
                                        : TensorId());
}

}  // namespace lbann
