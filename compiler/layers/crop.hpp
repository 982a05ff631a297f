// The layer `crop`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Inputs: data [n...] and one position in [0, 1] for each axis. Output [dims]: the part that
/// begins at floor(position (n - dims + 1)), n - dims at most. A position outside of [0, 1] is
/// taken for the nearer end. Only the data get a gradient.
struct crop {
  static constexpr std::string_view name = "crop";
  static constexpr std::string_view summary =
      "A part of its first input, at the place that its second tells for each sample.";
  static constexpr Arity parents{2, 2}, children{1, 1};

  std::vector<std::int64_t> dims;

  static constexpr auto fields() {
    return std::tuple{
        field("dims", &crop::dims, "Dims of the output.", Presence::required, {}, at_least_one)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
