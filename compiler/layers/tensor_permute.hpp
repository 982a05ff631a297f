// The layer `tensor_permute`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Axis i of the output is axis axes[i] of the input.
struct tensor_permute {
  static constexpr std::string_view name = "tensor_permute";
  static constexpr std::string_view summary = "The axes of a sample in another order.";
  static constexpr Arity parents{1, 1}, children{1, 1};

  std::vector<std::int64_t> axes;

  static constexpr auto fields() {
    return std::tuple{field("axes", &tensor_permute::axes,
                            "Axis of the input for each of the output.", Presence::required, {},
                            at_least_zero)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
