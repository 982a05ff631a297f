// The layer `scatter`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Inputs: values [dims...] with m entries along `axis`, and m indices, rounded down. Output
/// [dims]: each value added at the place its index names; those whose index is outside are left
/// out. Indices get no gradient.
struct scatter {
  static constexpr std::string_view name = "scatter";
  static constexpr std::string_view summary =
      "Entries of its first input added up at places along an axis that its second names.";
  static constexpr Arity parents{2, 2}, children{1, 1};

  std::vector<std::int64_t> dims;
  std::int64_t axis = 0;

  static constexpr auto fields() {
    return std::tuple{
        field("dims", &scatter::dims, "Dims of the output.", Presence::required, {}, at_least_one),
        field("axis", &scatter::axis,
              "Axis that indices name places of; a negative one counts from the last.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
