// The layer `mini_batch_size`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Output [1]: the number of samples of the mini-batch over all ranks, which the last of an epoch may
/// have fewer of.
struct mini_batch_size {
  static constexpr std::string_view name = "mini_batch_size";
  static constexpr std::string_view summary = "The number of samples of the mini-batch.";
  static constexpr Arity parents{0, 0}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
