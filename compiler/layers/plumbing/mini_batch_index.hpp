#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// The place of the sample in its mini-batch.
struct mini_batch_index {
  static constexpr std::string_view name = "mini_batch_index";
  static constexpr std::string_view summary = "The place of each sample in its mini-batch.";
  static constexpr std::string_view shapes = "-> y [1]";
  static constexpr std::string_view formula =
      "y = place of the sample in its mini-batch, over all ranks, from 0 on";
  static constexpr LayerExample example{"", "- mini_batch_index: {name: place}"};
  static constexpr Arity parents{0, 0}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
