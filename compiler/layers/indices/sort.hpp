#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// All entries of a sample in order, under the same dims.
struct sort {
  static constexpr std::string_view name = "sort";
  static constexpr std::string_view summary = "The entries of a sample in order.";
  static constexpr std::string_view shapes = "x [n...] -> y [n...]";
  static constexpr std::string_view formula =
      "y = all entries of the sample in ascending order (`descending`: descending); NaN last, "
      "equals in their order\n"
      "dx = dy, each where the entry stood";
  static constexpr LayerExample example{"x=10", "- sort: {parents: x}"};
  static constexpr Arity parents{1, 1}, children{1, 1};

  bool descending = false;

  static constexpr auto fields() {
    return std::tuple{field("descending", &sort::descending, "Largest first.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
