#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Pieces of its input along one axis, one for each child.
struct slice {
  static constexpr std::string_view name = "slice";
  static constexpr std::string_view summary =
      "Pieces of its input along one axis, one for each child.";
  static constexpr std::string_view shapes =
      "x [..., n, ...] -> y_i [..., slice_points[i + 1] - slice_points[i], ...], n along `axis`";
  static constexpr std::string_view formula =
      "y_i = entries slice_points[i] to slice_points[i + 1] - 1 of x, along `axis`\n"
      "dx = dy_i there, 0 where no child takes entries";
  static constexpr LayerExample example{
      "x=10",
      "- slice: {name: parts, parents: x, slice_points: [0, 4, 10]}\n"
      "- relu: {parents: parts.0}\n"
      "- tanh: {parents: parts.1}"};
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
  void lower(LoweringContext& lowering) const;
  /// A flat sample that ends at the last point, which is what cutting its first axis suggests.
  std::optional<Dims> input_dims_from_fields() const {
    if (axis != 0 || slice_points.empty() || slice_points.back() < 1) return std::nullopt;
    return Dims{slice_points.back()};
  }
  std::size_t pieces() const { return slice_points.empty() ? 0 : slice_points.size() - 1; }
};

}  // namespace lbann::compiler::layers
