// The layer `multidim_reduction`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Sum, product, maximum or minimum over `axes` of a sample, which vanish; [1] if none remains.
/// Entries that equal a maximum or minimum all get its gradient.
struct multidim_reduction {
  static constexpr std::string_view name = "multidim_reduction";
  static constexpr std::string_view summary =
      "Sum, product, maximum or minimum over some axes of a sample.";
  static constexpr Arity parents{1, 1}, children{1, 1};

  operators::ReduceMode mode = operators::ReduceMode::sum;
  std::vector<std::int64_t> axes;

  static constexpr auto fields() {
    return std::tuple{field("mode", &multidim_reduction::mode, "sum, max, min or product."),
                      field("axes", &multidim_reduction::axes, "Axes that vanish.",
                            Presence::required, {}, at_least_zero)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
