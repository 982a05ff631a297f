// Collectives between two distributions, one axis after the other where that is cheaper.
#include "compiler/passes/movements.hpp"

#include <bit>

namespace lbann::compiler {

std::optional<operators::reduce_scatter> scattering(AxisDistribution const& from,
                                                    AxisDistribution const& to,
                                                    MeshAxes const& mesh) {
  std::optional<operators::reduce_scatter> scatter;
  for (std::size_t d = 0; d < from.split.size(); ++d) {
    if (from.split[d] == to.split[d]) continue;
    bool const added = (from.split[d] & ~to.split[d]) == 0;
    auto const axes = to.split[d] & ~from.split[d];
    if (scatter || !added || (axes & ~from.partial) != 0) return std::nullopt;
    scatter.emplace();
    scatter->mesh_axes = mesh.names_of(axes);
    scatter->dimension = static_cast<std::int64_t>(d);
  }
  return scatter;
}

std::vector<AxisDistribution> steps_between(AxisDistribution const& from,
                                            AxisDistribution const& to) {
  std::vector<AxisDistribution> steps;
  auto at = from;
  auto const leaves = [&](std::size_t d) { return (at.split[d] & ~to.split[d]) != 0; };
  std::size_t d = 0;
  while (d < at.split.size() && !leaves(d)) ++d;
  while (d < at.split.size() && leaves(d)) {
    auto const axis = std::bit_floor(at.split[d]);
    if ((to.split[d] & axis) != 0) return {to};  // cuts within what moves
    at.split[d] &= ~axis;
    bool is_gathered = true;
    for (std::size_t other = 0; other < at.split.size(); ++other) {
      if ((to.split[other] & axis) == 0) continue;
      at.split[other] |= axis;
      is_gathered = false;
    }
    if (!is_gathered && !steps.empty()) return {to};
    steps.push_back(at);
  }
  if (steps.empty() || at.split != to.split) return {to};
  steps.back() = to;
  return steps;
}

Operator exchange(AxisDistribution const& from, AxisDistribution const& to, MeshAxes const& mesh) {
  AxisSet removed = 0;
  bool gathers = true;
  for (std::size_t d = 0; d < from.split.size(); ++d) {
    gathers = gathers && (to.split[d] & ~from.split[d]) == 0;
    removed |= from.split[d] & ~to.split[d];
  }
  if (gathers) return operators::all_gather{mesh.names_of(removed)};
  return operators::all_to_all{mesh.names_of(moving_axes(from, to))};
}

}  // namespace lbann::compiler
