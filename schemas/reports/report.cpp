// Ranks with as many samples, rows of broadcast factors and elements to update are told once.
#include "schemas/reports/report.hpp"

#include <map>
#include <set>

namespace lbann {

namespace {

/// All sizes in which the programs of two ranks of a mesh may differ.
class Sizes {
 public:
  explicit Sizes(SpecializedProgram const& program) : program_(program) {
    for (auto const& entry : program.entries)
      for (auto const& factors : entry.broadcasts) rows_.insert(factors.rows);
    updates_ = {program.split_updates.begin(), program.split_updates.end()};
    for (std::size_t i = 0; i < program.distributions.size(); ++i)
      for (std::size_t d = 0; d < program.whole_shapes[i].rank(); ++d)
        if (auto const axes = program.distributions[i].split[d]; axes != 0) {
          auto const& extent = program.whole_shapes[i].extents[d];
          extents_.insert({extent.batch ? program.mini_batch : extent.size, axes});
        }
  }

  std::vector<std::int64_t> of(std::int64_t rank) const {
    std::vector<std::int64_t> sizes;
    for (auto const& [extent, axes] : extents_)
      sizes.push_back(program_.mesh.part(extent, axes, rank).size);
    for (auto const rows : rows_) sizes.push_back(own_rows(rows, program_.ranks, rank).count());
    for (auto const elements : updates_)
      sizes.push_back(own_elements(elements, program_.ranks, rank).size);
    return sizes;
  }

 private:
  SpecializedProgram const& program_;
  std::set<std::pair<std::int64_t, AxisSet>> extents_;
  std::set<std::int64_t> rows_, updates_;
};

/// GPUs share no memory between ranks.
Result<DeviceReport> report_on_device(Plan const& plan, Placement placement,
                                      SpecializedProgram const& program) {
  if (program.arena_bytes[static_cast<std::size_t>(Arena::shared)] == 0)
    return report_device(plan, program);
  placement.one_node = false;
  auto const on_device = specialize(plan, placement);
  if (!on_device) return on_device.problem();
  return report_device(plan, on_device.value());
}

RankGroup report_group(SpecializedProgram const& program, DeviceReport device,
                       Machine const& machine) {
  return RankGroup{.first = program.rank,
                   .last = program.rank,
                   .samples = program.largest_batch,
                   .memory = report_memory(program),
                   .flops = report_flops(program),
                   .messages = report_messages(program),
                   .trace = report_trace(program, machine),
                   .device = std::move(device)};
}

}  // namespace

Result<RunReport> make_report(Plan const& plan, RunSize const& size, Machine const& machine) {
  auto placed = placement_of(plan, size, 0);
  if (!placed) return placed.problem();
  auto const procs = size.ranks / placed.value().trainers;
  auto meshes = possible_meshes(plan, size.mesh, procs, placed.value().mini_batch);
  if (!meshes) return meshes.problem();
  auto placement = std::move(placed).value();
  RunReport report;
  report.experiment = plan.experiment;
  report.meshes = std::move(meshes).value();
  report.ranks = size.ranks;
  report.trainers = placement.trainers;
  report.procs_per_trainer = size.ranks / placement.trainers;
  report.mini_batch = placement.mini_batch * plan.accumulate;
  report.accumulate = plan.accumulate;
  report.threads = size.threads;
  report.machine = machine;
  report.one_node = placement.one_node;
  auto const first = specialize(plan, placement);
  if (!first) return first.problem();
  report.products = report_products(first.value());
  Sizes const sizes(first.value());
  std::map<std::vector<std::int64_t>, std::size_t> groups;  // their numbers, by sizes
  for (std::int64_t rank = 0; rank < report.procs_per_trainer; ++rank) {
    auto const [known, added] = groups.try_emplace(sizes.of(rank), report.groups.size());
    if (!added) {
      auto& group = report.groups[known->second];
      group.last = rank;
      ++group.count;
      continue;
    }
    placement.rank = rank;
    auto const program = specialize(plan, placement);
    if (!program) return program.problem();
    auto device = report_on_device(plan, placement, program.value());
    if (!device) return device.problem();
    report.groups.push_back(report_group(program.value(), std::move(device).value(), machine));
  }
  report.model = summarize(plan, report.groups.front().flops);
  return report;
}

}  // namespace lbann
