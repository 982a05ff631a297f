// The layer `one_hot`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Input [1]; output [size]: 1 at the place that the input rounded down names, 0 elsewhere and
/// where it is outside. No gradient.
struct one_hot {
  static constexpr std::string_view name = "one_hot";
  static constexpr std::string_view summary =
      "An index as a vector of zeros with a 1 at its place.";
  static constexpr Arity parents{1, 1}, children{1, 1};

  std::int64_t size = 0;

  static constexpr auto fields() {
    return std::tuple{field("size", &one_hot::size, "Entries of the output.", Presence::required,
                            {}, at_least_one)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
