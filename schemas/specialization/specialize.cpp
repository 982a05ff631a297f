// The steps from a plan to one rank's program, in their order.
#include "schemas/specialization/specialize.hpp"

#include <algorithm>

#include "schemas/plan/digest.hpp"
#include "schemas/program/fuse.hpp"
#include "schemas/specialization/steps.hpp"

namespace lbann {

SpecializedEntry const* SpecializedProgram::entry(std::string_view name) const {
  auto const found = std::ranges::find(entries, name, &SpecializedEntry::name);
  return found == entries.end() ? nullptr : &*found;
}

Result<SpecializedProgram> specialize(Plan const& plan, Placement const& placement) {
  Specialization specialization{placement, plan.program, 0, {}, {}, 0, {}, {}, {}, {}, {}, {}};
  if (auto bound = bind(specialization); !bound) return bound.problem();
  drop_collectives(specialization);
  fuse(specialization.program);
  reduce_in_place(specialization);
  layout(specialization);
  bucket(specialization);
  merge_updates(specialization);
  order(specialization);
  join_messages(specialization);
  if (auto placed = place(specialization); !placed) return placed.problem();

  SpecializedProgram result;
  result.tensors = std::move(specialization.program.tensors);
  result.slots = std::move(specialization.slots);
  result.arena_bytes = specialization.arena_bytes;
  result.largest_batch = specialization.largest_batch;
  result.first_range = specialization.first_range;
  result.live_bytes = specialization.live_bytes;
  for (std::size_t i = 0; i < specialization.program.entry_points.size(); ++i) {
    auto& entry = specialization.program.entry_points[i];
    result.entries.push_back({std::move(entry.name), std::move(entry.instructions),
                              std::move(specialization.scratch[i]),
                              std::move(specialization.messages[i]), specialization.status[i]});
  }
  return result;
}

std::uint64_t message_digest(SpecializedProgram const& program) {
  std::string text;
  for (auto const& entry : program.entries)
    for (auto const& message : entry.messages) {
      auto const& sum = program.tensors[entry.instructions[message.posted].inputs[0].index()];
      text += entry.name + ' ' + std::string(name_of(sum.type.type)) + ' ' +
              std::to_string(sum.type.shape.elements(0)) + '\n';
    }
  return digest({reinterpret_cast<std::uint8_t const*>(text.data()), text.size()});
}

}  // namespace lbann
