// From the numbers of a command line to the place of one rank.
#include "schemas/reports/run_size.hpp"

namespace lbann {

std::int64_t micro_batch_size_of(Plan const& plan, RunSize const& size) {
  auto const mini_batch = size.mini_batch == 0 ? plan.mini_batch_size : size.mini_batch;
  return (mini_batch + plan.accumulate - 1) / plan.accumulate;
}

Result<Placement> placement_of(Plan const& plan, RunSize const& size, std::int64_t rank) {
  if (size.ranks < 1 || size.procs_per_trainer < 0 || size.mini_batch < 0 ||
      size.procs_per_node < 0 || size.threads < 1)
    return Problem{
        "ranks, ranks of a trainer, threads and samples of a mini-batch are positive numbers"};
  auto const per_trainer = size.procs_per_trainer == 0 ? size.ranks : size.procs_per_trainer;
  if (size.ranks % per_trainer != 0)
    return Problem{std::to_string(size.ranks) + " ranks cannot be divided into trainers of " +
                   std::to_string(per_trainer) +
                   "; choose --ranks as a multiple of --procs-per-trainer"};
  if (rank < 0 || rank >= per_trainer)
    return Problem{"there is no rank " + std::to_string(rank) + " in a trainer of " +
                   std::to_string(per_trainer) + "; the last is " +
                   std::to_string(per_trainer - 1)};
  Placement placement;
  placement.trainers = size.ranks / per_trainer;
  placement.rank = rank;
  placement.mini_batch = micro_batch_size_of(plan, size);
  auto mesh = choose_mesh(plan, size.mesh, per_trainer, placement.mini_batch);
  if (!mesh) return mesh.problem();
  placement.mesh = std::move(mesh).value();
  placement.threads = size.threads;
  placement.one_node = size.procs_per_node == 0 || size.procs_per_node % per_trainer == 0;
  return placement;
}

}  // namespace lbann
