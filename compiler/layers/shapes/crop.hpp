#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// A part of its first input; only that one gets a gradient.
struct crop {
  static constexpr std::string_view name = "crop";
  static constexpr std::string_view summary =
      "A part of its first input, at the place that its second tells for each sample.";
  static constexpr std::string_view shapes = "x [n...], p [number of axes of x] -> y [dims]";
  static constexpr std::string_view formula =
      "y[i] = x[i + s], s = min(max(floor(p (n - dims + 1)), 0), n - dims) along each axis\n"
      "dp = 0\n"
      "LBANN ends the run where a p is outside of [0, 1]";
  static constexpr LayerExample example{"x=3x8x8 position=3",
                                        "- crop: {parents: [x, position], dims: [3, 6, 6]}"};
  static constexpr Arity parents{2, 2}, children{1, 1};

  std::vector<std::int64_t> dims;

  static constexpr auto fields() {
    return std::tuple{
        field("dims", &crop::dims, "Dims of the output.", Presence::required, {}, at_least_one)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
