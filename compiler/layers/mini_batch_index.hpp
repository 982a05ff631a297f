// The layer `mini_batch_index`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Output [1]: the place of the sample in its mini-batch over all ranks, from 0 on.
struct mini_batch_index {
  static constexpr std::string_view name = "mini_batch_index";
  static constexpr std::string_view summary = "The place of each sample in its mini-batch.";
  static constexpr Arity parents{0, 0}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
