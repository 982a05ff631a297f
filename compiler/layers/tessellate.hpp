// The layer `tessellate`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Output [dims]: entry i along an axis with n entries in the input is entry i mod n. `dims` need
/// not be multiples; axes that the input lacks come first.
struct tessellate {
  static constexpr std::string_view name = "tessellate";
  static constexpr std::string_view summary = "Its input repeated along each axis.";
  static constexpr Arity parents{1, 1}, children{1, 1};

  std::vector<std::int64_t> dims;

  static constexpr auto fields() {
    return std::tuple{field("dims", &tessellate::dims, "Dims of the output.", Presence::required,
                            {}, at_least_one)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
