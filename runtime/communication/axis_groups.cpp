// Groups are made once, in the same order on all ranks.
#include "runtime/communication/axis_groups.hpp"

#include <algorithm>

#include "schemas/specialization/specialization.hpp"

namespace lbann::runtime {

AxisSet axes_along(SpecializedProgram const& program, Operator const& collective) {
  MeshAxes names;
  auto const all = names.set_of(*axes_of_collective(collective)).value();
  AxisSet axes = 0;
  for (AxisSet axis = 1; axis <= columns_axis; axis *= 2)
    if ((all & axis) != 0 && program.mesh.size(axis) > 1) axes |= axis;
  return axes;
}

AxisGroups::AxisGroups(Communicator& trainer, SpecializedProgram const& program)
    : trainer_(trainer), mesh_(program.mesh) {
  std::set<AxisSet> sums;
  bool exchanges = program.splits_state;
  for (auto const& entry : program.entries)
    for (auto const& instruction : entry.instructions) {
      if (is_sum(instruction))
        sums.insert(axes_along(program, instruction.op));
      else
        exchanges = exchanges || is_collective(instruction);
    }
  for (auto const axes : sums)
    if (mesh_.size(axes) < mesh_.ranks())
      groups_[axes] = trainer.split(mesh_.group_number(axes, mesh_.rank()));
  for (auto const axes : sums) device_sums_[axes] = DeviceSums::open(along(axes));
  if (exchanges) exchanges_ = trainer.split(0);
}

Communicator& AxisGroups::along(AxisSet axes) const {
  auto const found = groups_.find(axes);
  return found == groups_.end() ? trainer_ : *found->second;
}

bool AxisGroups::sums_by_devices() const {
  return std::ranges::all_of(device_sums_, [](auto const& sums) { return sums.second != nullptr; });
}

DeviceSums* AxisGroups::sums_along(AxisSet axes) const {
  auto const found = device_sums_.find(axes);
  return found == device_sums_.end() ? nullptr : found->second.get();
}

}  // namespace lbann::runtime
