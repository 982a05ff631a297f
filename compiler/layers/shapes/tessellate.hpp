#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Its input repeated; `dims` need not be multiples.
struct tessellate {
  static constexpr std::string_view name = "tessellate";
  static constexpr std::string_view summary = "Its input repeated along each axis.";
  static constexpr std::string_view shapes = "x [n...] -> y [dims]";
  static constexpr std::string_view formula =
      "y[i, ...] = x[i mod n, ...] along each axis; axes that x lacks come first";
  static constexpr LayerExample example{"x=2x3", "- tessellate: {parents: x, dims: [4, 5]}"};
  static constexpr Arity parents{1, 1}, children{1, 1};

  std::vector<std::int64_t> dims;

  static constexpr auto fields() {
    return std::tuple{field("dims", &tessellate::dims,
                            "Dims of the output; left out: those of the hint layer.",
                            at_least_one)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
