// From a plan to one rank's program: what the passes have found, put together.
#include "schemas/specialization/specialize.hpp"

#include <algorithm>

#include "schemas/plan/digest.hpp"
#include "schemas/specialization/pipeline.hpp"
#include "schemas/specialization/specialization.hpp"

namespace lbann {

SpecializedEntry const* SpecializedProgram::entry(std::string_view name) const {
  auto const found = std::ranges::find(entries, name, &SpecializedEntry::name);
  return found == entries.end() ? nullptr : &*found;
}

Rows own_rows(std::int64_t rows, std::int64_t ranks, std::int64_t rank) {
  constexpr std::int64_t block = 16;
  auto const blocks = (rows + block - 1) / block;
  auto const first = rank * (blocks / ranks) + std::min(rank, blocks % ranks);
  auto const last = first + local_samples(blocks, ranks, rank);
  return {std::min(first * block, rows), std::min(last * block, rows)};
}

FactorBroadcast const* broadcast_of(SpecializedEntry const& entry, std::size_t instruction) {
  if (!entry.instructions[instruction].factor_broadcast) return nullptr;
  auto const found =
      std::ranges::find(entry.broadcasts, instruction, &FactorBroadcast::instruction);
  return found == entry.broadcasts.end() ? nullptr : &*found;
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
  result.ranks = data_ranks(placement);
  result.first_range = specialization.first_range;
  result.live_bytes = specialization.live_bytes;
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
      if (message.broadcast != Message::sum) {
        auto const& factors = entry.broadcasts[static_cast<std::size_t>(message.broadcast)];
        text += " product " + std::to_string(factors.rows) + ' ' + std::to_string(factors.columns);
      } else {
        auto const& sum = program.tensors[entry.instructions[message.posted].inputs[0].index()];
        text += ' ' + std::string(name_of(sum.type.type)) + ' ' +
                std::to_string(sum.type.shape.elements(0));
      }
      text += '\n';
    }
  return digest({reinterpret_cast<std::uint8_t const*>(text.data()), text.size()});
}

}  // namespace lbann
