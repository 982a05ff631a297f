// The layer `uniform_hash`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Of each entry the MD5 digest of its bytes, read as a number in [0, 1): equal entries give equal
/// numbers. No gradient.
struct uniform_hash {
  static constexpr std::string_view name = "uniform_hash";
  static constexpr std::string_view summary = "Each entry hashed to a number in [0, 1).";
  static constexpr Arity parents{1, 1}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
