#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Entries that indices name.
struct gather {
  static constexpr std::string_view name = "gather";
  static constexpr std::string_view summary =
      "Entries of its first input along an axis, named by its second.";
  static constexpr std::string_view shapes =
      "x [..., n, ...], i [m] -> y [..., m, ...], n along `axis`; of x [n] and i [k...] -> y "
      "[k...]";
  static constexpr std::string_view formula =
      "y[..., j, ...] = x[..., floor(i[j]), ...], and 0 where there is no such entry\n"
      "di = 0";
  static constexpr LayerExample example{"values=10x4 indices=6",
                                        "- gather: {parents: [values, indices]}"};
  static constexpr Arity parents{2, 2}, children{1, 1};

  std::int64_t axis = 0;

  static constexpr auto fields() {
    return std::tuple{field(
        "axis", &gather::axis,
        "Axis of the values that indices name entries of; a negative one counts from the last.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
