// From a plan to one rank's program: what the passes have found, put together.
#include "schemas/specialization/specialize.hpp"

#include <algorithm>

#include "schemas/plan/digest.hpp"
#include "schemas/specialization/panel_samples.hpp"
#include "schemas/specialization/pipeline.hpp"
#include "schemas/specialization/specialization.hpp"

namespace lbann {

SpecializedEntry const* SpecializedProgram::entry(std::string_view name) const {
  auto const found = std::ranges::find(entries, name, &SpecializedEntry::name);
  return found == entries.end() ? nullptr : &*found;
}

std::int64_t local_samples_of(Mesh const& mesh, Shape const& shape,
                              AxisDistribution const& distribution, std::int64_t mini_batch) {
  for (std::size_t d = 0; d < shape.rank(); ++d)
    if (shape.extents[d].batch) return mesh.part(mini_batch, distribution.split[d]).size;
  return 0;
}

std::vector<std::string> const* axes_of_collective(Operator const& op) {
  return std::visit(
      [](auto const& collective) -> std::vector<std::string> const* {
        if constexpr (requires { collective.mesh_axes; })
          return &collective.mesh_axes;
        else
          return nullptr;
      },
      op);
}

std::int64_t Specialization::elements(TensorId tensor) const {
  auto const& [type, shape] = program[tensor].type;
  auto const role = program[tensor].role;
  bool const largest =
      role == TensorRole::weights || role == TensorRole::gradient || role == TensorRole::moment;
  auto const samples = this->samples(tensor, placement.mini_batch);
  std::int64_t count = 1;
  for (std::size_t d = 0; d < shape.rank(); ++d) {
    auto const& extent = shape.extents[d];
    auto const axes = distribution(tensor).split[d];
    if (extent.batch)
      count *= extent.at(samples);
    else if (is_local)
      count *= extent.size;
    else
      count *= largest ? mesh.largest(extent.size, axes) : mesh.part(extent.size, axes).size;
  }
  return count;
}

std::int64_t SpecializedProgram::samples_of(Instruction const& instruction,
                                            std::int64_t mini_batch) const {
  for (auto const* ids : {&instruction.outputs, &instruction.inputs})
    for (auto id : *ids)
      if (whole_shapes[id.index()].has_batch()) return samples(instruction, id, mini_batch);
  return mesh.part(mini_batch, batch).size;
}

std::int64_t SpecializedProgram::samples(Instruction const& instruction, TensorId tensor,
                                         std::int64_t mini_batch) const {
  return instruction.panel ? count(panel_of(instruction, tensor, mini_batch))
                           : samples(tensor, mini_batch);
}

std::vector<IndexRange> SpecializedProgram::panel_of(Instruction const& instruction,
                                                     TensorId tensor,
                                                     std::int64_t mini_batch) const {
  auto const held = mesh.part(mini_batch, distribution(tensor).split[0]);
  return held_samples(panel_samples(*instruction.panel, mesh, mini_batch, rank), held);
}

Rows own_rows(std::int64_t rows, std::int64_t ranks, std::int64_t rank) {
  constexpr std::int64_t block = 16;
  auto const blocks = (rows + block - 1) / block;
  auto const part = part_of(blocks, ranks, rank);
  return {std::min(part.begin * block, rows), std::min(part.end() * block, rows)};
}

IndexRange own_elements(std::int64_t elements, std::int64_t ranks, std::int64_t rank) {
  auto const blocks = (elements + padded_elements - 1) / padded_elements;
  auto const own = part_of(blocks, ranks, rank);
  auto const begin = std::min(own.begin * padded_elements, elements);
  return {begin, std::min(own.end() * padded_elements, elements) - begin};
}

FactorBroadcast const* broadcast_of(SpecializedEntry const& entry, std::size_t instruction) {
  if (!entry.instructions[instruction].factor_broadcast) return nullptr;
  auto const found =
      std::ranges::find(entry.broadcasts, instruction, &FactorBroadcast::instruction);
  return found == entry.broadcasts.end() ? nullptr : &*found;
}

std::int64_t bytes_of_other_ranks(SpecializedProgram const& program, SpecializedEntry const& entry,
                                  std::size_t first) {
  std::int64_t bytes = 0;
  for (auto i = first; i < entry.instructions.size(); ++i) {
    auto const& instruction = entry.instructions[i];
    if (i > first && instruction.awaits_ranks) break;
    for (auto const id : instruction.inputs)
      if (program.is_of_another_rank(id)) bytes += program.slots[id.index()].bytes;
  }
  return bytes;
}

Result<SpecializedProgram> specialize(Plan const& plan, Placement const& placement) {
  Specialization specialization(plan, placement);
  if (auto done = run_passes(specialization); !done) return done.problem();

  SpecializedProgram result;
  result.tensors = std::move(specialization.program.tensors);
  result.slots = std::move(specialization.slots);
  result.arena_bytes = specialization.arena_bytes;
  result.largest_batch = specialization.largest_batch;
  result.mini_batch = placement.mini_batch;
  result.rank = placement.rank;
  result.ranks = specialization.mesh.ranks();
  result.mesh = specialization.mesh;
  result.batch = specialization.batch;
  result.distributions = std::move(specialization.distributions);
  result.whole_shapes = std::move(specialization.whole_shapes);
  result.first_range = specialization.first_range;
  result.gradient_block = specialization.gradient_block;
  result.own_gradients = specialization.own_gradients;
  result.split_updates = std::move(specialization.split_updates);
  result.live_bytes = specialization.live_bytes;
  for (std::size_t i = 0; i < result.tensors.size(); ++i)
    result.splits_state =
        result.splits_state || (is_state(result.tensors[i].role) && result.is_split(TensorId(i)));
  for (std::size_t i = 0; i < specialization.program.entry_points.size(); ++i) {
    auto& entry = specialization.program.entry_points[i];
    result.entries.push_back({.name = std::move(entry.name),
                              .instructions = std::move(entry.instructions),
                              .scratch = std::move(specialization.scratch[i]),
                              .messages = std::move(specialization.messages[i]),
                              .broadcasts = std::move(specialization.broadcasts[i]),
                              .status = specialization.status[i]});
  }
  return result;
}

std::uint64_t message_digest(SpecializedProgram const& program) {
  std::string text;
  for (auto const& entry : program.entries)
    for (auto const& message : entry.messages) {
      text += entry.name;
      if (message.kind == Message::Kind::barrier) {
        text += " gradients " + std::to_string(program.gradient_block);
      } else if (message.kind == Message::Kind::factors) {
        auto const& factors = entry.broadcasts[message.broadcast];
        text += " product " + std::to_string(factors.rows) + ' ' + std::to_string(factors.columns);
      } else {
        auto const& instruction = entry.instructions[message.posted];
        auto const id = instruction.inputs[0];
        text += ' ' + std::string(name_of(instruction.op));
        for (auto const& axis : *axes_of_collective(instruction.op)) text += ' ' + axis;
        if (instruction.panel) text += ' ' + to_text(*instruction.panel);
        auto const& tensor = program.tensors[id.index()];
        text += ' ' + std::string(name_of(tensor.type.type)) + ' ' + tensor.name;
        // The sizes of ranges over parts may differ between ranks that do not sum them together.
        if (id.index() < program.first_range)
          text += ' ' + to_text(program.whole_shapes[id.index()]);
      }
      text += '\n';
    }
  return digest({reinterpret_cast<std::uint8_t const*>(text.data()), text.size()});
}

}  // namespace lbann
