#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Its inputs one after the other along one axis.
struct concatenation {
  static constexpr std::string_view name = "concatenation";
  static constexpr std::string_view summary = "Its inputs one after the other along one axis.";
  static constexpr std::string_view shapes =
      "x0 [..., n0, ...], x1 [..., n1, ...], ... -> y [..., n0 + n1 + ..., ...], n along `axis`";
  static constexpr std::string_view formula =
      "y = the entries of x0, then those of x1, ..., along `axis`";
  static constexpr LayerExample example{"a=3x8 b=5x8", "- concatenation: {parents: [a, b]}"};
  static constexpr Arity parents{1, -1}, children{1, 1};

  std::int64_t axis = 0;

  static constexpr auto fields() {
    return std::tuple{field(
        "axis", &concatenation::axis,
        "Axis of a sample along which inputs are joined; a negative one counts from the last.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
