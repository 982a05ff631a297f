// Ranks with as many samples, and rows of gathered products, are told once.
#include "schemas/reports/report.hpp"

namespace lbann {

namespace {

/// The last rank whose program is that of rank `first`, `program`, but for its place.
std::int64_t last_like(SpecializedProgram const& program, std::int64_t first) {
  auto const same = [&](std::int64_t rank) {
    if (local_samples(program.mini_batch, program.ranks, rank) != program.largest_batch)
      return false;
    for (auto const& entry : program.entries)
      for (auto const& product : entry.products)
        if (own_rows(product.rows, program.ranks, rank).count() !=
            own_rows(product.rows, program.ranks, first).count())
          return false;
    return true;
  };
  auto last = first;
  while (last + 1 < program.ranks && same(last + 1)) ++last;
  return last;
}

Result<RankGroup> report_group(Plan const& plan, RunReport const& report, std::int64_t first) {
  Placement placement;
  placement.trainers = report.trainers;
  placement.mesh = {{"data", report.procs_per_trainer}};
  placement.rank = first;
  placement.mini_batch = report.mini_batch;
  placement.threads = report.threads;
  placement.one_node = report.one_node;
  auto const program = specialize(plan, placement);
  if (!program) return program.problem();
  return RankGroup{first,
                   last_like(program.value(), first),
                   program.value().largest_batch,
                   report_memory(program.value()),
                   report_flops(program.value()),
                   report_messages(program.value())};
}

}  // namespace

Result<RunReport> make_report(Plan const& plan, RunSize const& size) {
  RunReport report;
  report.experiment = plan.experiment;
  report.ranks = size.ranks;
  report.procs_per_trainer = size.procs_per_trainer == 0 ? size.ranks : size.procs_per_trainer;
  report.mini_batch = size.mini_batch == 0 ? plan.mini_batch_size : size.mini_batch;
  report.threads = size.threads;
  if (size.ranks < 1 || size.procs_per_trainer < 0 || size.mini_batch < 0 ||
      size.procs_per_node < 0 || size.threads < 1)
    return Problem{
        "ranks, ranks of a trainer, threads and samples of a mini-batch are positive numbers"};
  if (report.ranks % report.procs_per_trainer != 0)
    return Problem{std::to_string(report.ranks) + " ranks cannot be divided into trainers of " +
                   std::to_string(report.procs_per_trainer) +
                   "; choose --ranks as a multiple of --procs-per-trainer"};
  report.trainers = report.ranks / report.procs_per_trainer;

  auto const per_trainer = report.procs_per_trainer;
  report.one_node = size.procs_per_node == 0 || size.procs_per_node % per_trainer == 0;
  for (std::int64_t first = 0; first < per_trainer; first = report.groups.back().last + 1) {
    auto group = report_group(plan, report, first);
    if (!group) return group.problem();
    report.groups.push_back(std::move(group).value());
  }
  return report;
}

}  // namespace lbann
