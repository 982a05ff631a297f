// Ranks with as many samples, and rows of broadcast factors, are told once.
#include "schemas/reports/report.hpp"

namespace lbann {

namespace {

/// The last rank whose program is that of rank `first`, `program`, but for its place.
std::int64_t last_like(SpecializedProgram const& program, std::int64_t first) {
  auto const same = [&](std::int64_t rank) {
    if (local_samples(program.mini_batch, program.ranks, rank) != program.largest_batch)
      return false;
    for (auto const& entry : program.entries)
      for (auto const& factors : entry.broadcasts)
        if (own_rows(factors.rows, program.ranks, rank).count() !=
            own_rows(factors.rows, program.ranks, first).count())
          return false;
    return true;
  };
  auto last = first;
  while (last + 1 < program.ranks && same(last + 1)) ++last;
  return last;
}

Result<RankGroup> report_group(Plan const& plan, Placement const& placement) {
  auto const program = specialize(plan, placement);
  if (!program) return program.problem();
  return RankGroup{.first = placement.rank,
                   .last = last_like(program.value(), placement.rank),
                   .samples = program.value().largest_batch,
                   .memory = report_memory(program.value()),
                   .flops = report_flops(program.value()),
                   .messages = report_messages(program.value())};
}

}  // namespace

Result<RunReport> make_report(Plan const& plan, RunSize const& size) {
  auto placed = placement_of(plan, size, 0);
  if (!placed) return placed.problem();
  auto placement = std::move(placed).value();
  RunReport report;
  report.experiment = plan.experiment;
  report.ranks = size.ranks;
  report.trainers = placement.trainers;
  report.procs_per_trainer = size.ranks / placement.trainers;
  report.mini_batch = placement.mini_batch;
  report.threads = size.threads;
  report.one_node = placement.one_node;
  while (placement.rank < report.procs_per_trainer) {
    auto group = report_group(plan, placement);
    if (!group) return group.problem();
    placement.rank = group.value().last + 1;
    report.groups.push_back(std::move(group).value());
  }
  return report;
}

}  // namespace lbann
