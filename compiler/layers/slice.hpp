// The layer `slice`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Pieces of its input along one axis, one for each child.
struct slice {
  static constexpr std::string_view name = "slice";
  static constexpr std::string_view summary =
      "Pieces of its input along one axis, one for each child.";
  static constexpr Arity parents{1, 1}, children{1, -1};

  std::int64_t axis = 0;
  std::vector<std::int64_t> slice_points;

  static constexpr auto fields() {
    return std::tuple{field("axis", &slice::axis,
                            "Axis of a sample that is cut; a negative one counts from the last."),
                      field("slice_points", &slice::slice_points,
                            "Bounds of the pieces, ascending: piece i is [point i, point i + 1). "
                            "They need not cover "
                            "the axis.",
                            Presence::required, {}, at_least_zero)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
  std::size_t pieces() const { return slice_points.empty() ? 0 : slice_points.size() - 1; }
};

}  // namespace lbann::compiler::layers
