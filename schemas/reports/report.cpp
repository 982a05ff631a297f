// Ranks with as many samples are told once.
#include "schemas/reports/report.hpp"

namespace lbann {

namespace {

Result<RankGroup> report_group(Plan const& plan, RunReport const& report, std::int64_t first,
                               std::int64_t last) {
  Placement placement;
  placement.trainers = report.trainers;
  placement.mesh = {{"data", report.procs_per_trainer}};
  placement.rank = first;
  placement.mini_batch = report.mini_batch;
  auto const program = specialize(plan, placement);
  if (!program) return program.problem();
  return RankGroup{first,
                   last,
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
  if (size.ranks < 1 || size.procs_per_trainer < 0 || size.mini_batch < 0)
    return Problem{"ranks, ranks of a trainer and samples of a mini-batch are positive numbers"};
  if (report.ranks % report.procs_per_trainer != 0)
    return Problem{std::to_string(report.ranks) + " ranks cannot be divided into trainers of " +
                   std::to_string(report.procs_per_trainer) +
                   "; choose --ranks as a multiple of --procs-per-trainer"};
  report.trainers = report.ranks / report.procs_per_trainer;

  auto const per_trainer = report.procs_per_trainer;
  for (std::int64_t first = 0; first < per_trainer;) {
    // Local counts fall once at most, behind the ranks that take one sample more.
    auto const more = report.mini_batch % per_trainer;
    auto const last = first < more ? more - 1 : per_trainer - 1;
    auto group = report_group(plan, report, first, last);
    if (!group) return group.problem();
    report.groups.push_back(std::move(group).value());
    first = last + 1;
  }
  return report;
}

}  // namespace lbann
