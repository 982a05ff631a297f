// Coordinates, groups and parts.
#include "schemas/specialization/mesh.hpp"

#include <algorithm>

#include "schemas/specialization/specialize.hpp"

namespace lbann {

namespace {

constexpr std::array<std::string_view, Mesh::axis_count> axis_names = {
    MeshAxes::data, MeshAxes::rows, MeshAxes::columns};

constexpr bool has(AxisSet axes, std::size_t axis) { return (axes >> axis & 1) != 0; }

}  // namespace

Mesh::Mesh(Placement const& placement) : rank_(placement.rank) {
  for (auto const& axis : placement.mesh) {
    auto const found = std::ranges::find(axis_names, std::string_view(axis.name));
    if (found != axis_names.end())
      sizes_[static_cast<std::size_t>(found - axis_names.begin())] = axis.size;
  }
}

std::int64_t Mesh::size(AxisSet axes) const {
  std::int64_t size = 1;
  for (std::size_t axis = 0; axis < axis_count; ++axis)
    if (has(axes, axis)) size *= sizes_[axis];
  return size;
}

Mesh::Coordinates Mesh::coordinates(std::int64_t rank) const {
  Coordinates at{};
  for (auto axis = axis_count; axis-- > 0; rank /= sizes_[axis]) at[axis] = rank % sizes_[axis];
  return at;
}

std::int64_t Mesh::group_number(AxisSet axes, std::int64_t rank) const {
  auto const at = coordinates(rank);
  std::int64_t number = 0;
  for (std::size_t axis = 0; axis < axis_count; ++axis)
    if (!has(axes, axis)) number = number * sizes_[axis] + at[axis];
  return number;
}

std::vector<std::int64_t> Mesh::group(AxisSet axes, std::int64_t rank) const {
  std::vector<std::int64_t> ranks{0};
  auto const at = coordinates(rank);
  for (std::size_t axis = 0; axis < axis_count; ++axis) {
    std::vector<std::int64_t> longer;
    auto const first = has(axes, axis) ? 0 : at[axis];
    auto const behind = has(axes, axis) ? sizes_[axis] : at[axis] + 1;
    for (auto const begin : ranks)
      for (auto i = first; i < behind; ++i) longer.push_back(begin * sizes_[axis] + i);
    ranks = std::move(longer);
  }
  return ranks;
}

IndexRange Mesh::part(std::int64_t extent, AxisSet axes, std::int64_t rank) const {
  auto const at = coordinates(rank);
  IndexRange part{0, extent};
  for (std::size_t axis = 0; axis < axis_count; ++axis) {
    if (!has(axes, axis)) continue;
    auto const inner = part_of(part.size, sizes_[axis], at[axis]);
    part = {part.begin + inner.begin, inner.size};
  }
  return part;
}

std::int64_t Mesh::largest(std::int64_t extent, AxisSet axes) const {
  return part(extent, axes, 0).size;
}

std::int64_t Box::elements() const {
  std::int64_t count = 1;
  for (std::size_t d = 0; d < rank; ++d) count *= parts[d].size;
  return count;
}

Box box_of(Shape const& shape, AxisDistribution const& distribution, Mesh const& mesh,
           std::int64_t mini_batch, std::int64_t rank) {
  Box box;
  box.rank = shape.rank();
  for (std::size_t d = 0; d < shape.rank(); ++d) {
    auto const& extent = shape.extents[d];
    auto part = mesh.part(extent.batch ? mini_batch : extent.size, distribution.split[d], rank);
    // A sample's entries stay together.
    if (extent.batch) part = {part.begin * extent.size, part.size * extent.size};
    box.parts[d] = part;
  }
  return box;
}

}  // namespace lbann
