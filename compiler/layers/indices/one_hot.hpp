#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// An index as a vector.
struct one_hot {
  static constexpr std::string_view name = "one_hot";
  static constexpr std::string_view summary =
      "An index as a vector of zeros with a 1 at its place.";
  static constexpr std::string_view shapes = "x [1] -> y [size]";
  static constexpr std::string_view formula =
      "y[i] = [floor(x) = i]\n"
      "dx = 0";
  static constexpr LayerExample example{"label=1", "- one_hot: {parents: label, size: 10}"};
  static constexpr Arity parents{1, 1}, children{1, 1};

  std::int64_t size = 0;

  static constexpr auto fields() {
    return std::tuple{field("size", &one_hot::size, "Entries of the output.", Presence::required,
                            {}, at_least_one)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
