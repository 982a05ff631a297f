// Affinity masks of a node's ranks, and each rank's share of the cores.
#include "runtime/execution/cores.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace lbann::runtime {

namespace {

/// Least share of cores that reserves cores for I/O threads; smaller ones are oversubscribed.
constexpr std::int64_t least_share_for_io = 4;

bool uses_core(CoreMask const& mask, std::size_t core) {
  return core / 64 < mask.size() && (mask[core / 64] >> (core % 64) & 1) != 0;
}

/// Calls f(core) for each core of a mask, the lowest first.
template <class F>
void for_each_core(CoreMask const& mask, F const& f) {
  for (std::size_t core = 0; core < 64 * mask.size(); ++core)
    if (uses_core(mask, core)) f(core);
}

}  // namespace

ThreadChoice share_cores(std::vector<CoreMask> const& masks, std::size_t rank,
                         std::int64_t requested, std::int64_t io, std::int64_t quota) {
  ThreadChoice choice;
  choice.io = io;
  choice.cores = 0;
  choice.ranks_on_node = static_cast<std::int64_t>(masks.size());
  choice.rank_on_node = static_cast<std::int64_t>(rank);
  double share = 0;
  for (std::size_t core = 0; core < 64 * masks[rank].size(); ++core) {
    auto const users =
        std::ranges::count_if(masks, [&](auto& mask) { return uses_core(mask, core); });
    if (users > 0) ++choice.cores;
    if (uses_core(masks[rank], core)) share += 1.0 / static_cast<double>(users);
  }
  if (quota > 0 && quota < choice.cores) {
    choice.cores = quota;
    share = std::min(share, static_cast<double>(quota) / static_cast<double>(choice.ranks_on_node));
  }
  auto const whole = std::max<std::int64_t>(1, std::llround(std::floor(share + 1e-9)));
  choice.compute = requested > 0                 ? requested
                   : whole >= least_share_for_io ? std::max<std::int64_t>(1, whole - io)
                                                 : whole;
  choice.threads_on_node = choice.ranks_on_node * (choice.compute + io);
  choice.warns = choice.ranks_on_node * choice.compute > choice.cores;
  return choice;
}

std::string ThreadChoice::line() const {
  auto const number = [](std::int64_t count, std::string const& what) {
    return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
  };
  auto text = "threads : " + number(ranks_on_node, "rank") + " on this node of " +
              number(cores, "core") + ", each " + std::to_string(compute) + " to compute and " +
              std::to_string(io) + " for data";
  if (warns)
    text +=
        "; warning: more threads compute than there are cores, each waits for the others; "
        "start fewer ranks here or give --threads " +
        std::to_string(std::max<std::int64_t>(1, cores / ranks_on_node));
  return text;
}

CoreMask own_cores(std::vector<CoreMask> const& masks, std::size_t rank) {
  std::int64_t sharing = 0, lower_ranks = 0;
  for (std::size_t other = 0; other < masks.size(); ++other) {
    if (masks[other] == masks[rank]) {
      if (other < rank) ++lower_ranks;
      ++sharing;
    } else if (count_cores(intersection(masks[other], masks[rank])) > 0) {
      return masks[rank];
    }
  }
  auto const cores = count_cores(masks[rank]);
  if (cores < sharing) return masks[rank];
  CoreMask own(masks[rank].size(), 0);
  std::int64_t number = 0;
  for_each_core(masks[rank], [&](std::size_t core) {
    if (number >= cores * lower_ranks / sharing && number < cores * (lower_ranks + 1) / sharing)
      own[core / 64] |= std::uint64_t{1} << (core % 64);
    ++number;
  });
  return own;
}

ThreadChoice choose_threads(Communicator& world, Binding const& binding, std::int64_t requested,
                            std::int64_t io) {
  auto const mine = binding.places.empty() ? affinity_mask() : binding.cores();
  std::vector<CoreMask> masks = {mine};
  std::size_t rank_on_node = 0;
  if (world.size() > 1) {
    auto const node = world.on_this_node();
    // All-gather of the masks, as a sum in which each rank fills its own range.
    std::vector<std::int64_t> all(mine.size() * static_cast<std::size_t>(node->size()), 0);
    rank_on_node = static_cast<std::size_t>(node->rank());
    std::memcpy(all.data() + rank_on_node * mine.size(), mine.data(), mine.size() * sizeof mine[0]);
    node->all_reduce(all.data(), static_cast<std::int64_t>(all.size()), DataType::i64);
    masks.assign(static_cast<std::size_t>(node->size()), CoreMask(mine.size()));
    for (std::size_t i = 0; i < masks.size(); ++i)
      std::memcpy(masks[i].data(), all.data() + i * mine.size(), mine.size() * sizeof mine[0]);
  }
  auto choice = share_cores(masks, rank_on_node, requested, io, cgroup_quota());
  if (binding.kind == ProcBind::none) return choice;
  choice.own = own_cores(masks, rank_on_node);
  choice.places = thread_places(binding, choice.own, choice.compute);
  return choice;
}

}  // namespace lbann::runtime
