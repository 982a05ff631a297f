// The layer `gather`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Inputs: values [dims...] and m indices, rounded down. Output: the values with `axis` replaced by
/// the entries that the indices name, 0 where an index is outside; of values with one axis, the
/// dims of the indices. Indices get no gradient.
struct gather {
  static constexpr std::string_view name = "gather";
  static constexpr std::string_view summary =
      "Entries of its first input along an axis, named by its second.";
  static constexpr Arity parents{2, 2}, children{1, 1};

  std::int64_t axis = 0;

  static constexpr auto fields() {
    return std::tuple{field(
        "axis", &gather::axis,
        "Axis of the values that indices name entries of; a negative one counts from the last.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
