#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Some axes of a sample reduced.
struct multidim_reduction {
  static constexpr std::string_view name = "multidim_reduction";
  static constexpr std::string_view summary =
      "Sum, product, maximum or minimum over some axes of a sample.";
  static constexpr std::string_view shapes =
      "x [n...] -> y [n... without `axes`], [1] if none is left";
  static constexpr std::string_view formula =
      "y[i] = sum, product, max or min over j: x[i, j], j over `axes`\n"
      "all entries that equal a max or min get its gradient";
  static constexpr LayerExample example{
      "x=3x4x5", "- multidim_reduction: {parents: x, mode: max, axes: [0, 2]}"};
  static constexpr Arity parents{1, 1}, children{1, 1};

  operators::ReduceMode mode = operators::ReduceMode::sum;
  std::vector<std::int64_t> axes;

  static constexpr auto fields() {
    return std::tuple{field("mode", &multidim_reduction::mode, "sum, max, min or product."),
                      field("axes", &multidim_reduction::axes, "Axes that vanish.",
                            Presence::required, {}, at_least_zero)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
