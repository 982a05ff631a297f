// The ranks of a trainer, arranged along the axes of a mesh.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "schemas/program/distribution.hpp"
#include "schemas/vocabulary/partition.hpp"

namespace lbann {

struct Placement;

/// Sizes of the axes `data`, `rows` and `columns`, and one rank's place. Ranks are numbered row by
/// row: rank = (data * rows + row) * columns + column.
class Mesh {
 public:
  static constexpr std::size_t axis_count = 3;
  using Coordinates = std::array<std::int64_t, axis_count>;

  Mesh() = default;
  /// Axes of other names must be of size one.
  explicit Mesh(Placement const& placement);

  std::int64_t rank() const { return rank_; }
  std::int64_t ranks() const { return size(~AxisSet{0}); }
  /// Ranks that differ along no other axes than these.
  std::int64_t size(AxisSet axes) const;
  Coordinates coordinates(std::int64_t rank) const;
  /// The ranks that differ from `rank` along `axes` alone, itself included, ascending.
  std::vector<std::int64_t> group(AxisSet axes, std::int64_t rank) const;
  /// Which of the groups along `axes` `rank` is in, counted from 0.
  std::int64_t group_number(AxisSet axes, std::int64_t rank) const;

  /// What `rank` holds of an extent that is split over `axes`.
  IndexRange part(std::int64_t extent, AxisSet axes, std::int64_t rank) const;
  IndexRange part(std::int64_t extent, AxisSet axes) const { return part(extent, axes, rank_); }
  /// Visits what `rank` and the ranks that differ from it along `varying` hold of an extent that is
  /// split over `axes`: one part for each combination of places along axes of both sets.
  template <class Visit>
  void each_part(std::int64_t extent, AxisSet axes, AxisSet varying, std::int64_t rank,
                 Visit const& visit) const {
    each_part({0, extent}, axes, varying, coordinates(rank), 0, visit);
  }
  /// The size of the largest part.
  std::int64_t largest(std::int64_t extent, AxisSet axes) const;

 private:
  template <class Visit>
  void each_part(IndexRange part, AxisSet axes, AxisSet varying, Coordinates const& at,
                 std::size_t axis, Visit const& visit) const {
    while (axis < axis_count && (axes >> axis & 1) == 0) ++axis;
    if (axis == axis_count) return visit(part);
    bool const all = (varying >> axis & 1) != 0;
    for (std::int64_t i = all ? 0 : at[axis]; i < (all ? sizes_[axis] : at[axis] + 1); ++i) {
      auto const inner = part_of(part.size, sizes_[axis], i);
      each_part({part.begin + inner.begin, inner.size}, axes, varying, at, axis + 1, visit);
    }
  }

  Coordinates sizes_{1, 1, 1};
  std::int64_t rank_ = 0;
};

/// What a rank holds of a tensor, along each dimension.
struct Box {
  std::size_t rank = 0;
  std::array<IndexRange, operators::rules::max_rank> parts{};

  std::int64_t elements() const;
  friend bool operator==(Box const&, Box const&) = default;
};

/// The box of a tensor of this shape for a mini-batch of `mini_batch` samples on all ranks.
Box box_of(Shape const& shape, AxisDistribution const& distribution, Mesh const& mesh,
           std::int64_t mini_batch, std::int64_t rank);

}  // namespace lbann
