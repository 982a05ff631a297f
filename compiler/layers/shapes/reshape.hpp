#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// The same entries in the same order under other dims.
struct reshape {
  static constexpr std::string_view name = "reshape";
  static constexpr std::string_view summary =
      "The same entries in the same order under other dims.";
  static constexpr std::string_view shapes = "x [n...] -> y [dims]";
  static constexpr std::string_view formula = "y = the entries of x in the same order";
  static constexpr LayerExample example{"x=3x8x8", "- reshape: {parents: x, dims: [3, -1]}"};
  static constexpr Arity parents{1, 1}, children{1, 1};
  static constexpr Values gives = Values::as_input;

  std::vector<std::int64_t> dims;

  static constexpr auto fields() {
    return std::tuple{
        field("dims", &reshape::dims,
              "New dims of a sample; one of them may be -1 and follows from the others.",
              Presence::required)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
